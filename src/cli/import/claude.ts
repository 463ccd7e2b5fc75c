import type { Format } from './formats.ts'
import { type Fields, type Found, fields, isFields, list, named, text, time } from './record.ts'

/** An element of `conversations.json` of Claude's export. */
export const claude: Format = {
  title: 'Claude',
  matches: (value) => isFields(value) && Array.isArray(value.chat_messages),
  *read(value) {
    const conversation = fields(value)
    const title = text(conversation.name)
    const metadata = { from: 'claude', ...(title === '' ? {} : { title: title.toWellFormed() }) }
    const session = named('claude', text(conversation.uuid) || `${conversation.created_at} ${title}`)
    let said = time(conversation.created_at)
    for (const [at, given] of list(conversation.chat_messages).entries()) {
      const message = fields(given)
      said = time(message.created_at) ?? said
      const { words, others } = wordsOf(message)
      for (let count = 0; count < others; count++) yield { left: 'tools, thoughts and images' }
      const id = text(message.uuid) || `${session}:${at}`
      const shared = { occurred_at: said, persona: null, session_id: session }
      if (words.trim() !== '' || others === 0) {
        const source = message.sender === 'human' ? 'user' : 'assistant'
        yield { text: { ...shared, text: words, source, external_id: named('claude', id), metadata } }
      }
      for (const [index, attached] of list(message.attachments).entries()) {
        const { file_name, extracted_content } = fields(attached)
        const external_id = named('claude', id, 'attachment', index)
        const about = { ...metadata, file: text(file_name).toWellFormed() }
        const source = 'document' as const
        yield { text: { ...shared, text: text(extracted_content), source, external_id, metadata: about } }
      }
      for (const _ of list(message.files)) yield { left: 'images and files' }
    }
  },
}

/** The blocks are whole; the `text` beside them is empty in some exports. */
function wordsOf(message: Fields): { readonly words: string; readonly others: number } {
  const blocks = list(message.content).map(fields)
  const spoken = blocks.filter(({ type }) => type === 'text')
  const words = spoken.map((block) => text(block.text)).join('\n\n')
  return { words: words.trim() === '' ? text(message.text) : words, others: blocks.length - spoken.length }
}

/** What Claude has noted about the user: the best of an export, so it comes first. */
export const claudeMemories: Format = {
  title: 'Claude’s memories',
  isFirst: true,
  matches: (value) => isFields(value) && ('conversations_memory' in value || 'project_memories' in value),
  *read(value) {
    const { conversations_memory, project_memories, updated_at } = fields(value)
    const notes: [path: string, note: unknown][] = [['claude/memory.md', conversations_memory]]
    for (const [project, note] of Object.entries(fields(project_memories)))
      notes.push([`claude/memories/${plainName(project)}.md`, note])
    for (const [path, note] of notes) yield documentOf(path, text(note), { from: 'claude' }, updated_at)
  },
}

/** A project with its documents and instructions. */
export const claudeProject: Format = {
  title: 'Claude’s projects',
  matches: (value) => isFields(value) && Array.isArray(value.docs) && 'uuid' in value,
  *read(value) {
    const project = fields(value)
    const folder = `claude/projects/${plainName(text(project.name) || text(project.uuid))}`
    const about = { from: 'claude', project: text(project.name).toWellFormed() }
    const instructions = [text(project.description), text(project.prompt_template)]
    const said = instructions.filter((part) => part.trim() !== '').join('\n\n')
    if (said !== '') yield documentOf(`${folder}/instructions.md`, said, about, project.created_at)
    for (const given of list(project.docs)) {
      const doc = fields(given)
      const name = plainName(text(doc.filename) || text(doc.uuid))
      yield documentOf(`${folder}/${name}`, text(doc.content), about, doc.created_at ?? project.created_at)
    }
  },
}

/** A name that can stand between slashes. */
const plainName = (name: string) =>
  name
    .toWellFormed()
    .replace(/[/\\\p{C}]+/gu, '-')
    .replace(/^\.+$/, '-')
    .slice(0, 120) || 'unnamed'

function documentOf(document: string, content: string, metadata: Fields, at: unknown): Found {
  if (content.trim() === '') return { left: 'empty' }
  const type = 'text/markdown' as const
  return {
    document: { document, content, content_type: type, occurred_at: time(at), persona: null, metadata },
  }
}
