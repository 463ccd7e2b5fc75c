import { chatgpt } from './chatgpt.ts'
import { claude, claudeMemories, claudeProject } from './claude.ts'
import { mem0, own, serverMemory } from './memories.ts'
import type { Found } from './record.ts'
import { claudeCode, codex } from './transcripts.ts'

/** What a reader may know of the file beside the value. */
export interface Place {
  readonly file: string
  /** The number of the value in it. */
  readonly at: number
  /** For what an earlier value of the file says of the later ones. */
  readonly state: Map<string, string>
}

/** A form of memories, known by its content. */
export interface Format {
  readonly title: string
  /** Read before the others: it says most. */
  readonly isFirst?: boolean
  matches(value: unknown): boolean
  read(value: unknown, place: Place): Iterable<Found>
}

export const formats: readonly Format[] = [
  ...[chatgpt, claude, claudeMemories, claudeProject, claudeCode, codex, serverMemory, mem0, own],
]
