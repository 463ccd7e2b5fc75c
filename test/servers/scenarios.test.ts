import { before } from 'node:test'
import { modes, startMode } from './open.ts'
import { scenarios } from './scenarios.ts'
import { openEngines } from './support.ts'

before(async () => {
  const engines = await openEngines()
  await engines.wipe()
  await engines.close()
})

for (const mode of modes) scenarios(mode, () => startMode(mode))
