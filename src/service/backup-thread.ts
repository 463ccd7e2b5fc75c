import { parentPort, workerData } from 'node:worker_threads'
import { backUp } from './backup.ts'

// A thread of its own: reading, compressing and summing up would hold up requests.
const { bytes } = await backUp(workerData.config, workerData.file, () => {})
parentPort?.postMessage(bytes)
