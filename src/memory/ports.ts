import type { DocumentStore } from './ports/document-store.ts'
import type { EpisodicStore } from './ports/episodic-store.ts'
import type { GraphStore } from './ports/graph-store.ts'
import type { GraphView } from './ports/graph-view.ts'
import type { Journal } from './ports/journal.ts'
import type { LifecycleStore } from './ports/lifecycle-store.ts'
import type { VectorMaintenance } from './ports/vector-maintenance.ts'
import type { WorkingMemory } from './ports/working-memory.ts'

// Each port has a file of its own; everybody imports them from here.
export type * from './ports/document-store.ts'
export type * from './ports/episodic-store.ts'
export type * from './ports/graph-store.ts'
export type * from './ports/graph-view.ts'
export type * from './ports/journal.ts'
export type * from './ports/lifecycle-store.ts'
export type * from './ports/models.ts'
export type * from './ports/selection.ts'
export type * from './ports/vector-maintenance.ts'
export type * from './ports/working-memory.ts'

/** Everything the memory needs to keep; one backend provides all of it. */
export interface MemoryStores {
  readonly episodic: EpisodicStore
  readonly graph: GraphStore
  readonly view: GraphView
  readonly working: WorkingMemory
  readonly journal: Journal
  readonly lifecycle: LifecycleStore
  readonly vectors: VectorMaintenance
  readonly documents: DocumentStore
}
