import { homedir } from 'node:os'
import path from 'node:path'

/**
 * For the C library: few heaps for the threads to share, and large buffers go back to the system when they are freed.
 * Without these the process keeps some 150 MB that nobody uses.
 */
const allocation = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** What a request leaves behind is garbage at once and needs no large nursery, in megabytes. */
const nursery = '--max-semi-space-size=4'

/**
 * Known to the engine of this Node version; an engine that does not know one of them would not start.
 *
 * Garbage that loading, and a traversal of thousands of edges, leave behind is collected soon, in every thread: some 70 MB
 * less. What was found for a question lives as long as the question: the engine would come to take it for lasting, put it
 * where only a full collection finds it again, and then collect all ten times as often, for a tenth of a search's work.
 */
const collection = { flags: ['--memory-saver-mode', '--no-allocation-site-pretenuring'], major: 26 }

type Environment = Readonly<Record<string, string | undefined>>

/** What Node made of the sources is kept between starts: half a second of processor time and some 25 MB less. */
const cacheFolder = ({ XDG_CACHE_HOME }: Environment): string =>
  path.join(XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'memoryd')

const isCollectionKnown = Number(process.versions.node.split('.')[0]) === collection.major

/**
 * Starts this process again in its place, with the same id, arguments and streams, and settings for little memory that
 * only a start can take. Does nothing on other systems, and where somebody has chosen settings already.
 */
export function restartLean(environment: Environment): void {
  if (process.platform !== 'linux' || process.execve === undefined) return
  if (Object.keys(allocation).some((name) => environment[name] !== undefined)) return
  // The signal of a profiler's timer may wait already: it would end the new process.
  if ([...process.execArgv, environment.NODE_OPTIONS].some((flag) => flag?.includes('--cpu-prof'))) return
  const [, ...script] = process.argv
  const flags = isCollectionKnown ? [nursery, ...collection.flags] : [nursery]
  process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, ...script], {
    NODE_COMPILE_CACHE: path.join(cacheFolder(environment), 'compiled'),
    ...environment,
    ...allocation,
  })
}
