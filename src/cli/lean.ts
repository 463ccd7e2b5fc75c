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
 * Garbage that loading, and a traversal of thousands of edges, leave behind is collected soon, in every thread: some 70
 * MB less, for about one forward pass of the encoder a search. Known to the engine of this Node version; an engine that
 * does not know it would not start.
 */
const collection = { flag: '--memory-saver-mode', major: 26 }

const isCollectionKnown = Number(process.versions.node.split('.')[0]) === collection.major

/**
 * Starts this process again in its place, with the same id, arguments and streams, and settings for little memory that
 * only a start can take. Does nothing on other systems, and where somebody has chosen settings already.
 */
export function restartLean(environment: Readonly<Record<string, string | undefined>>): void {
  if (process.platform !== 'linux' || process.execve === undefined) return
  if (Object.keys(allocation).some((name) => environment[name] !== undefined)) return
  const [, ...script] = process.argv
  const flags = isCollectionKnown ? [nursery, collection.flag] : [nursery]
  process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, ...script], {
    ...environment,
    ...allocation,
  })
}
