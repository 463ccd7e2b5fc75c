import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { Accounts } from '../accounts/accounts.ts'
import { isLoopback } from '../config.ts'
import { ServiceError } from '../core/errors.ts'
import type { NewId } from '../core/ids.ts'
import { errorFacts, type Log } from '../observe/log.ts'
import { type Arrival, answerTenant, type GateParts, readInput } from './answer.ts'
import { docsPage, docsPolicy } from './docs/page.ts'
import { openApiDocument } from './openapi.ts'
import { bugAnswer, problemAnswer } from './problem.ts'
import type { Answer, Route } from './route.ts'
import { routes } from './routes/table.ts'

export interface AppParts extends GateParts {
  readonly accounts: Accounts
  readonly adminToken: string
  /** Runs a request so that waiting for stores cannot keep it for long. */
  readonly inTime: <T>(request: () => Promise<T>) => Promise<T>
  readonly log: Log
  readonly newId: NewId
}

interface Variables {
  requestId: string
  route: string
  account: string | null
}

/** Over a socket the Node request comes along; in process there is none. */
export type App = Hono<{ Bindings: Partial<HttpBindings>; Variables: Variables }>
type AppContext = Context<{ Bindings: Partial<HttpBindings>; Variables: Variables }>

/** Every address of the service, mounted from the route table. */
export function createApp(parts: AppParts): App {
  const app: App = new Hono()
  app.use(async (context, next) => observed(parts, context, next))
  for (const route of routes) {
    app.on(route.method, mounted(route.path), async (context) => {
      context.set('route', route.path)
      return reply(await parts.inTime(() => answerRoute(parts, route, arrivalOf(context))))
    })
  }
  mountPages(app, parts)
  for (const [path, methods] of methodsByPath()) {
    app.all(mounted(path), () => {
      const { status, headers, body } = problemAnswer(new ServiceError('method_not_allowed'))
      return reply({ status, headers: { ...headers, allow: methods.join(', ') }, body })
    })
  }
  app.notFound(() => reply(problemAnswer(new ServiceError('not_found'))))
  app.onError((error, context) => reply(failed(parts, error, context)))
  return app
}

/** `{id}` of the API document as the router spells it. */
const mounted = (path: string) => path.replace(/\{(\w+)\}/g, ':$1')

function methodsByPath(): Map<string, string[]> {
  const found = new Map<string, string[]>(
    ['/openapi.json', '/docs', '/metrics'].map((path) => [path, ['GET', 'HEAD']]),
  )
  for (const { path, method } of routes) {
    const methods = found.get(path) ?? []
    found.set(path, [...methods, method, ...(method === 'GET' ? ['HEAD'] : [])])
  }
  return found
}

function arrivalOf(context: AppContext): Arrival {
  return {
    request: context.req.raw,
    params: context.req.param(),
    identified: (account) => context.set('account', account),
  }
}

async function answerRoute(parts: AppParts, route: Route, arrival: Arrival): Promise<Answer> {
  switch (route.auth) {
    case 'key':
      return answerTenant(parts, route, arrival)
    case 'admin': {
      requireAdmin(parts.adminToken, arrival.request.headers)
      return route.prepare(await readInput(route, arrival)).run({ accounts: parts.accounts })
    }
    case 'none':
      return route.prepare(await readInput(route, arrival)).run({ health: parts.health })
  }
}

/** Compares digests: they have one length, so the time taken tells nothing about the token. */
function requireAdmin(token: string, headers: Headers): void {
  const given = headers.get('authorization')?.match(/^Bearer +(\S+)$/i)?.[1] ?? ''
  const digest = (value: string) => createHash('sha256').update(value).digest()
  if (!timingSafeEqual(digest(given), digest(token))) throw new ServiceError('admin_rejected')
}

/** Addresses that answer with something else than the API's JSON. */
function mountPages(app: App, { adminToken, health, metrics }: AppParts): void {
  const document = openApiDocument(routes, health.version)
  const openApi = JSON.stringify(document)
  const docs = docsPage(document)
  app.get('/openapi.json', (context) => context.body(openApi, 200, { 'content-type': 'application/json' }))
  app.get('/docs', (context) =>
    context.body(docs, 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': docsPolicy,
      'referrer-policy': 'no-referrer',
    }),
  )
  app.get('/metrics', async (context) => {
    if (!isLocal(context)) requireAdmin(adminToken, context.req.raw.headers)
    return context.body(await metrics.text(), 200, { 'content-type': metrics.contentType })
  })
}

/** Asked from this machine, and not through a proxy on it that speaks for somebody else. */
function isLocal(context: AppContext): boolean {
  const address = context.env?.incoming?.socket.remoteAddress
  const forwarded = ['forwarded', 'x-forwarded-for', 'via', 'x-real-ip'].some(
    (name) => context.req.header(name) !== undefined,
  )
  return address !== undefined && isLoopback(address) && !forwarded
}

function reply({ status, headers, body }: Answer): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}

function failed({ log }: AppParts, error: Error, context: AppContext): Answer {
  if (error instanceof ServiceError) {
    if (error.facts.cause !== undefined) {
      log.warn(
        { request_id: context.get('requestId'), code: error.code, ...errorFacts(error) },
        'request failed',
      )
    }
    return problemAnswer(error)
  }
  // The caller hung up: nobody is left to read an answer, and the work ended as it was told to.
  if (context.req.raw.signal.aborted) return problemAnswer(new ServiceError('request_timeout'))
  log.error(
    { request_id: context.get('requestId'), route: context.get('route'), ...errorFacts(error) },
    'bug',
  )
  return bugAnswer(context.get('requestId'))
}

/** Gives every reply its request id, and every request its log line and its place in the metrics. */
async function observed({ log, metrics, newId }: AppParts, context: AppContext, next: () => Promise<void>) {
  const started = performance.now()
  const given = context.req.header('x-request-id')
  const requestId = given !== undefined && /^[\w.-]{1,64}$/.test(given) ? given : newId()
  context.set('requestId', requestId)
  context.set('route', 'none')
  context.set('account', null)
  await next()
  const { status, headers } = context.res
  headers.set('x-request-id', requestId)
  headers.set('x-content-type-options', 'nosniff')
  const elapsed = performance.now() - started
  const route = context.get('route')
  const method = knownMethods.has(context.req.method) ? context.req.method : 'other'
  metrics.request({ method, route, status, seconds: elapsed / 1000 })
  log.info(
    {
      request_id: requestId,
      method,
      route,
      status,
      ms: Math.round(elapsed * 10) / 10,
      account: context.get('account'),
    },
    'request',
  )
}

/** A method is the caller's own word: labels come from this list alone. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
