import { exitCodeOf, processParts } from './cli/run.ts'
import { runServer } from './cli/serve.ts'

process.exitCode = await exitCodeOf(runServer, processParts())
