import { restartLean } from './cli/lean.ts'
import { exitCodeOf, processParts } from './cli/run.ts'
import { runServer } from './cli/serve.ts'

const parts = processParts()
restartLean(parts.environment)
process.exitCode = await exitCodeOf(runServer, parts)
