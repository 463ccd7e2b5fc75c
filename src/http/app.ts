import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { invalidField, type RateState, ServiceError } from '../core/errors.ts'
import type { NewId } from '../core/ids.ts'
import type { McpEndpoint } from '../mcp/endpoint.ts'
import { errorFacts, type Log } from '../observe/log.ts'
import { type Arrival, answerTenant, type GateParts, readInput } from './answer.ts'
import {
  type AllowedNames,
  crossOriginHeaders,
  crossOriginPaths,
  guardBrowsers,
  guardedPaths,
} from './browser-guard.ts'
import { rateHeaders } from './callers.ts'
import { consoleFile } from './console.ts'
import { docsPage, docsPageAt, docsPolicy } from './docs/page.ts'
import { openApiDocument, problemSchema } from './openapi.ts'
import { bugAnswer, isServerFailure, problemAnswer } from './problem.ts'
import type { Answer, Route } from './route.ts'
import { everyRoute, routes } from './routes/table.ts'
import type { SignInLinks } from './sign-in.ts'

export interface AppParts extends GateParts {
  readonly adminToken: string
  readonly signInLinks: SignInLinks
  /** Whether `/metrics` needs no credential. */
  readonly openMetrics: boolean
  /** Names beside those of this machine under which, and from which, browsers may call. */
  readonly allowed: AllowedNames
  /** Runs a request so that waiting for stores cannot keep it for long. */
  readonly inTime: <T>(request: () => Promise<T>) => Promise<T>
  readonly log: Log
  readonly newId: NewId
}

interface Variables {
  requestId: string
  route: string
  account: string | null
  rate: RateState | null
}

/** Over a socket the Node request comes along; in process there is none. */
export type App = Hono<{ Bindings: Partial<HttpBindings>; Variables: Variables }>
type AppContext = Context<{ Bindings: Partial<HttpBindings>; Variables: Variables }>

/** Every address of the service, mounted from the route table. */
export function createApp(parts: AppParts): App {
  const app: App = new Hono()
  app.use(async (context, next) => observed(parts, context, next))
  for (const path of guardedPaths) {
    app.use(`${path}/*`, async (context, next) => {
      guardBrowsers(context.req.raw, parts.allowed)
      await next()
    })
  }
  for (const path of crossOriginPaths) {
    app.use(`${path}/*`, async (context, next) => {
      const headers = crossOriginHeaders(context.req.raw, parts.allowed)
      if (headers !== null && context.req.method === 'OPTIONS')
        return new Response(null, { status: 204, headers })
      await next()
      for (const [name, value] of Object.entries(headers ?? {})) context.res.headers.set(name, value)
    })
  }
  for (const route of everyRoute) {
    app.on(route.method, mounted(route.path), async (context) => {
      context.set('route', route.path)
      const answered = parts.inTime(() => answerRoute(parts, route, arrivalOf(context)))
      return reply(await (route.isHook ? quietly(parts, context, answered) : answered))
    })
  }
  mountMcp(app, parts)
  mountPages(app, parts)
  mountConsole(app, parts)
  for (const [path, methods] of methodsByPath()) {
    app.all(mounted(path), () => {
      const { status, headers, body } = problemAnswer(new ServiceError('method_not_allowed'))
      return reply({ status, headers: { ...headers, allow: methods.join(', ') }, body })
    })
  }
  app.all('/compat/mem0/*', () => {
    throw new ServiceError('not_found', {
      detail: 'memoryd does not have this call of mem0; docs/mem0.md lists those it has.',
    })
  })
  app.notFound(() => reply(problemAnswer(new ServiceError('not_found'))))
  app.onError((error, context) => reply(failed(parts, error, context)))
  return app
}

/** `{id}` of the API document as the router spells it; `{path}` goes on over slashes. */
const mounted = (path: string) =>
  path.replace(/\{(\w+)\}/g, (_, name) => (name === 'path' ? ':path{.+}' : `:${name}`))

function methodsByPath(): Map<string, string[]> {
  const found = new Map<string, string[]>(
    ['/openapi.json', '/docs', '/metrics', '/console'].map((path) => [path, ['GET', 'HEAD']]),
  )
  for (const { path, method } of everyRoute) {
    const methods = found.get(path) ?? []
    found.set(path, [...methods, method, ...(method === 'GET' ? ['HEAD'] : [])])
  }
  return found
}

function arrivalOf(context: AppContext): Arrival {
  const params = context.req.param()
  if ('path' in params) requirePlain(context.env?.incoming?.url ?? '')
  return {
    request: context.req.raw,
    params,
    identified: (account) => context.set('account', account),
    rated: (rate) => context.set('rate', rate),
  }
}

/** Addresses are tidied on their way, `a/../b` to `b`: who names a document so may mean another one. */
function requirePlain(sent: string): void {
  const [path = ''] = sent.split('?')
  const isPlain = path.split('/').every((name) => !/^(?:\.|%2e){1,2}$/i.test(name)) && isDecodable(path)
  if (isPlain) return
  throw invalidField(
    'path',
    'path must be names between slashes, none of them . or .., percent-encoded UTF-8',
  )
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

async function answerRoute(parts: AppParts, route: Route, arrival: Arrival): Promise<Answer> {
  switch (route.auth) {
    case 'key':
      return answerTenant(parts, route, arrival)
    case 'admin': {
      requireAdmin(parts.adminToken, arrival.request.headers)
      return route
        .prepare(await readInput(route, arrival))
        .run({ accounts: parts.accounts, records: parts.records })
    }
    case 'none':
      return route.prepare(await readInput(route, arrival)).run({ health: parts.health })
  }
}

/** Compares digests: they have one length, so the time taken tells nothing about the token. */
function requireAdmin(token: string, headers: Headers): void {
  const given = bearer(headers)
  const digest = (value: string) => createHash('sha256').update(value).digest()
  if (!timingSafeEqual(digest(given), digest(token))) throw new ServiceError('admin_rejected')
}

const bearer = (headers: Headers) => headers.get('authorization')?.match(/^Bearer +(\S+)$/i)?.[1] ?? ''

/** Both eras of the Model Context Protocol at one address. */
function mountMcp(app: App, parts: AppParts): void {
  // Loaded when it is first asked for: it takes a third of a second and 30 MB, which not every server needs.
  let loading: Promise<McpEndpoint> | null = null
  const load = async () => (await import('../mcp/endpoint.ts')).createMcpEndpoint(parts)
  app.all('/mcp', async (context) => {
    context.set('route', '/mcp')
    const arrival = arrivalOf(context)
    const explain = (error: unknown) => problemSchema.parse(failed(parts, error, context).body).detail
    loading ??= load()
    const endpoint = await loading
    return parts.inTime(() => endpoint({ ...arrival, explain }))
  })
}

/** Addresses that answer with something else than the API's JSON. */
function mountPages(app: App, { adminToken, health, metrics, openMetrics }: AppParts): void {
  const document = openApiDocument(routes, health.version)
  const openApi = JSON.stringify(document)
  const docs = docsPage(document)
  app.get('/openapi.json', (context) => context.body(openApi, 200, { 'content-type': 'application/json' }))
  app.get('/docs', (context) =>
    context.body(docsPageAt(docs, context.req.raw), 200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': docsPolicy,
      'referrer-policy': 'no-referrer',
    }),
  )
  app.get('/metrics', async (context) => {
    if (!openMetrics) requireAdmin(adminToken, context.req.raw.headers)
    return context.body(await metrics.text(), 200, { 'content-type': metrics.contentType })
  })
}

/** The console for people: its files, and the exchange of a link from the terminal for the key. */
function mountConsole(app: App, { signInLinks }: AppParts): void {
  const file = (context: AppContext, name: string) => {
    context.set('route', '/console')
    return consoleFile(name, context.req.raw) ?? context.notFound()
  }
  for (const address of ['/console', '/console/']) app.get(address, (context) => file(context, 'index.html'))
  app.get('/console/:file', (context) => file(context, context.req.param('file')))
  app.post('/console/sign-in', (context) => {
    context.set('route', '/console/sign-in')
    const key = signInLinks.redeem(bearer(context.req.raw.headers))
    if (key === null) throw new ServiceError('link_rejected')
    return reply({ status: 200, headers: {}, body: { key } })
  })
}

function reply({ status, headers, body, raw }: Answer): Response {
  return new Response(raw === undefined ? JSON.stringify(body) : raw === '' ? null : raw, {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
  })
}

/** An empty object in place of a failure of ours, which the log keeps. */
async function quietly(parts: AppParts, context: AppContext, answered: Promise<Answer>): Promise<Answer> {
  try {
    return await answered
  } catch (error) {
    if (!isServerFailure(error)) throw error
    failed(parts, error, context)
    return { status: 200, headers: {}, body: {} }
  }
}

function failed({ log }: AppParts, error: unknown, context: AppContext): Answer {
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
  context.set('rate', null)
  await next()
  const { status, headers } = context.res
  headers.set('x-request-id', requestId)
  headers.set('x-content-type-options', 'nosniff')
  for (const [name, value] of Object.entries(rateHeaders(context.get('rate')))) headers.set(name, value)
  const elapsed = performance.now() - started
  const route = context.get('route')
  const method = knownMethods.has(context.req.method) ? context.req.method : 'other'
  metrics.request({ method, route, status, seconds: elapsed / 1000 })
  // A balancer asks every second; what it learns is in the metrics.
  const level = route === healthPath ? 'debug' : 'info'
  log[level](
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

const healthPath = '/brain/health'

/** A method is the caller's own word: labels come from this list alone. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
