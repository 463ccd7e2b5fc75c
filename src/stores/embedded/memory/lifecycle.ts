import type { Namespace } from '../../../core/ids.ts'
import type { Lease, LifecycleRun } from '../../../memory/ports.ts'
import { runsKept } from '../../../memory/rules.ts'
import type { EngineContext } from '../engine/context.ts'

/** No persona has an empty name: it stands for the whole namespace. */
const wholeNamespace = ''

interface Scope {
  readonly namespace: Namespace
  readonly persona: string | null
}

interface Renewal {
  readonly lease: Lease
  readonly seconds: number
  readonly now: number
}

/** Looks and takes in one statement; the fence grows with every holder. */
const takeLease = `INSERT INTO lease (name, fence, expires_at) VALUES (:name, 1, :until)
ON CONFLICT (name) DO UPDATE SET fence = fence + 1, expires_at = :until WHERE expires_at <= :now
RETURNING fence`

export const lifecycleWrites = {
  'lifecycle.recordRun': (
    context: EngineContext,
    { run, ...scope }: Scope & { readonly run: LifecycleRun },
  ): void => {
    const runs = [run, ...lifecycleReads['lifecycle.runs'](context, scope)].slice(0, runsKept)
    context
      .prepare(`INSERT INTO lifecycle_run (namespace, persona, ran_at, runs) VALUES (?, ?, ?, ?)
ON CONFLICT (namespace, persona) DO UPDATE SET ran_at = excluded.ran_at, runs = excluded.runs`)
      .run(scope.namespace, scope.persona ?? wholeNamespace, run.at, JSON.stringify(runs))
  },
  'lifecycle.acquire': (
    { prepare }: EngineContext,
    { name, seconds, now }: { readonly name: string; readonly seconds: number; readonly now: number },
  ): Lease | null => {
    const taken = prepare(takeLease).get({ name, until: now + seconds, now })
    return taken === undefined ? null : { name, fence: Number(taken.fence) }
  },
  'lifecycle.renew': ({ prepare }: EngineContext, { lease, seconds, now }: Renewal): boolean =>
    prepare('UPDATE lease SET expires_at = ? WHERE name = ? AND fence = ? AND expires_at > ?').run(
      now + seconds,
      lease.name,
      lease.fence,
      now,
    ).changes === 1,
  /** The row stays: its fence must go on growing. */
  'lifecycle.release': ({ prepare }: EngineContext, { name, fence }: Lease): void => {
    prepare('UPDATE lease SET expires_at = ? WHERE name = ? AND fence = ?').run(
      Number.NEGATIVE_INFINITY,
      name,
      fence,
    )
  },
}

export const lifecycleReads = {
  'lifecycle.lastRun': ({ prepare }: EngineContext, { namespace, persona }: Scope): number | null => {
    const row = prepare('SELECT ran_at FROM lifecycle_run WHERE namespace = ? AND persona = ?').get(
      namespace,
      persona ?? wholeNamespace,
    )
    return row === undefined ? null : Number(row.ran_at)
  },
  'lifecycle.runs': ({ prepare }: EngineContext, { namespace, persona }: Scope): readonly LifecycleRun[] => {
    const row = prepare('SELECT runs FROM lifecycle_run WHERE namespace = ? AND persona = ?').get(
      namespace,
      persona ?? wholeNamespace,
    )
    return row === undefined ? [] : JSON.parse(String(row.runs))
  },
}
