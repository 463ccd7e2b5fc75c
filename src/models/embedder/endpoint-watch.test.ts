import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { type EndpointWatch, watchEndpoint } from './endpoint-watch.ts'

/** A watch on an endpoint that is up or down as the test says, with a clock of its own. */
async function watching(use: (world: { watch: EndpointWatch; asked: number; up: boolean }) => Promise<void>) {
  mock.timers.enable({ apis: ['setTimeout'] })
  const world = {
    asked: 0,
    up: true,
    watch: watchEndpoint(async () => {
      world.asked++
      world.watch.saw(world.up ? null : 'cannot be reached')
      if (!world.up) throw new Error('down')
    }),
  }
  try {
    await use(world)
  } finally {
    world.watch.close()
    mock.timers.reset()
  }
}

/** Lets time pass and what it sets off run. */
async function pass(seconds: number): Promise<void> {
  for (let at = 0; at < seconds; at++) {
    mock.timers.tick(1_000)
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }
}

test('a failing call shows at once, and a call that is answered clears it', () =>
  watching(async ({ watch }) => {
    assert.equal(watch.problem(), null)
    watch.saw('answered 401')
    assert.equal(watch.problem(), 'answered 401')
    watch.saw(null)
    assert.equal(watch.problem(), null)
  }))

test('what is down is asked until it is back, without any request', () =>
  watching(async (world) => {
    world.up = false
    world.watch.saw('cannot be reached')
    await pass(20)
    assert.ok(world.asked >= 3)
    assert.equal(world.watch.problem(), 'cannot be reached')
    world.up = true
    await pass(6)
    assert.equal(world.watch.problem(), null)
  }))

test('an idle endpoint that goes down is noticed; one in use is not asked', () =>
  watching(async (world) => {
    for (let minute = 0; minute < 5; minute++) {
      world.watch.saw(null)
      await pass(60)
    }
    assert.equal(world.asked, 0)
    world.up = false
    await pass(125)
    assert.equal(world.watch.problem(), 'cannot be reached')
  }))
