import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  collapsed,
  type Edge,
  filtered,
  type Graph,
  merged,
  momentsOf,
  noGraph,
  pathBetween,
  relationsOf,
} from './model.ts'

const node = (id: string, seed = false) => ({
  ...{ id, name: id, type: 'person' as const, degree: 1, more: 0, seed },
})
const edge = (from: string, to: string, given: Partial<Edge> = {}): Edge => ({
  ...{ id: `${from}-${to}`, from, to, relation: 'knows', negated: false, fact: `${from} knows ${to}` },
  ...{ since: 10, until: null, ...given },
})
const graphOf = (edges: readonly Edge[], seeds: readonly string[] = ['a']): Graph => {
  const ids = [...new Set([...seeds, ...edges.flatMap(({ from, to }) => [from, to])])]
  return merged(noGraph, { nodes: ids.map((id) => node(id, seeds.includes(id))), edges: [...edges] })
}
const idsOf = ({ nodes }: Graph) => [...nodes.keys()].sort()
const all = { hidden: new Set<string>(), asOf: null, replaced: true }

describe('the graph of the console', () => {
  test('keeps the mark of where it was begun when more is shown', () => {
    const first = graphOf([edge('a', 'b')])
    const more = merged(first, { nodes: [node('b', true), node('c')], edges: [edge('b', 'c')] })
    assert.deepEqual(
      [...more.nodes.values()].map(({ id, seed }) => [id, seed]),
      [
        ['a', true],
        ['b', false],
        ['c', false],
      ],
    )
    assert.equal(first.nodes.size, 2, 'the graph before is as it was, so that one can go back')
  })

  test('collapses what hangs on one entity alone', () => {
    const graph = graphOf([edge('a', 'b'), edge('b', 'c'), edge('b', 'd'), edge('d', 'a'), edge('b', 'b')])
    assert.deepEqual(idsOf(collapsed(graph, 'b')), ['a', 'b', 'd'])
    assert.deepEqual(idsOf(collapsed(graph, 'c')), idsOf(graph), 'where it was begun stays')
  })

  test('shows a time as it was, with what was replaced by then only when asked for', () => {
    const graph = graphOf([
      edge('a', 'lisbon', { since: 10, until: 20 }),
      edge('a', 'berlin', { since: 20 }),
      edge('a', 'tea', { since: 15, relation: 'likes' }),
    ])
    const at = (asOf: number | null, replaced: boolean) => idsOf(filtered(graph, { ...all, asOf, replaced }))
    assert.deepEqual(at(null, true), ['a', 'berlin', 'lisbon', 'tea'])
    assert.deepEqual(at(null, false), ['a', 'berlin', 'tea'])
    assert.deepEqual(at(15, false), ['a', 'lisbon', 'tea'])
    assert.deepEqual(at(20, false), ['a', 'berlin', 'tea'])
    assert.deepEqual(at(5, true), ['a'], 'where it was begun is always there')
    assert.deepEqual(momentsOf(graph), [10, 15, 20])
    assert.deepEqual(relationsOf(graph), [
      ['knows', 2],
      ['likes', 1],
    ])
    assert.deepEqual(idsOf(filtered(graph, { ...all, hidden: new Set(['knows']) })), ['a', 'tea'])
  })

  test('finds a shortest way, in either direction of the facts', () => {
    const graph = graphOf([
      edge('a', 'b'),
      edge('c', 'b'),
      edge('c', 'd'),
      edge('d', 'e'),
      edge('a', 'x'),
      edge('x', 'y'),
    ])
    const way = (from: string, to: string) => pathBetween(graph, from, to)?.map(({ id }) => id)
    assert.deepEqual(way('a', 'd'), ['a-b', 'c-b', 'c-d'])
    assert.deepEqual(way('d', 'a'), ['c-d', 'c-b', 'a-b'])
    assert.deepEqual(way('a', 'a'), [])
    assert.equal(pathBetween(graph, 'a', 'nobody'), null)
  })
})
