import { place } from '../router.ts'
import { Detail } from './detail.tsx'
import { List } from './list.tsx'
import './memories.css'

/** The list of all memories, or one of them: `#/memories/ID`. */
export function MemoriesScreen() {
  const [id] = place.value.rest
  return id === undefined || id === '' ? <List /> : <Detail key={id} id={id} />
}
