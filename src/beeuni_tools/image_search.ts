/**
 * image_search: searches images on the web through Serper (Google Images).
 *
 * Settings, read from `context.env` at each call:
 * - SERPER_API_KEY: search with your own Serper account. SERPER_BASE_URL replaces https://google.serper.dev.
 * - otherwise BEEUNI_API_URL and BEEUNI_TOKEN: search through the Beeuni router.
 *
 * The web UI draws the output JSON: when you change this file, keep the field names.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** What a tool is given beside its arguments. */
interface Context {
  sessionId: string
  agent: string
  directory: string
  env: Record<string, string | undefined>
  signal: AbortSignal
}

/** Where requests go and how they are authorised. */
interface Provider {
  base: string
  key: string
}

/** The connections of one call. */
interface Connections {
  close(): void
}
interface DenoFetch {
  createHttpClient(options: Record<never, never>): Connections
}

/** One request may take this long, its body included. */
const DEADLINE_MS = 60_000
/** How often one request is sent at most, and the pause before it is sent again (doubled each time). */
const TRIES = 3
const PAUSE_MS = 500
/** A provider that asks for a longer pause than this gets no second try. */
const LONGEST_PAUSE_MS = 60_000
/** What is shown of a provider's error text. */
const ERROR_CHARACTERS = 500

export default {
  description:
    'Search Google Images. Use it to find pictures: photos, logos, diagrams, product shots. Returns JSON ' +
    'with, for each image, its url, title, source (the page it is on), width and height. Images are links, not ' +
    'files: give a url to the user, or download it first if you need the file. Several independent searches go ' +
    'into one call, separated by |||. Example: {"query": "Golden Gate Bridge at night ||| Oslo opera house", ' +
    '"num_results": 6}',
  parameters: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description:
          'What the pictures show. Separate several queries with |||, for example "red fox ||| arctic fox".',
      },
      num_results: {
        type: 'number',
        description: 'Images per query, 1 to 100. Default 12.',
        default: 12,
        minimum: 1,
        maximum: 100,
      },
    },
    required: ['query'],
  },

  async execute(args: Record<string, unknown>, context: Context) {
    const queries = String(args.query ?? '').split('|||').map((query) => query.trim()).filter(Boolean)
    if (queries.length === 0) throw new Error('The query is empty.')

    const num = numberBetween(1, 100, args.num_results, 12)
    const searches = queries.map((q) => ({ q, num }))
    const provider = chooseProvider(context.env)

    // Serper takes several searches as an array, and answers with an array.
    const body = searches.length === 1 ? searches[0] : searches
    const data = await withConnections((client) => post(provider, '/images', body, context.signal, client))
    const answers = (Array.isArray(data) ? data : [data]).map(record)

    const results = assign(queries, answers).map((answer, index) => toOutput(queries[index] ?? '', answer))
    return results.length === 1 ? results[0] : { batch_mode: true, results }
  },
}

/**
 * The answer to each query, in the order of the queries: the one that names the query as its own, otherwise the
 * one in the same place if it names none. A query without an answer gets an empty one. A single query's answer is
 * its own whatever it names: what was asked may be repeated in another spelling.
 */
function assign(queries: string[], answers: Record<string, unknown>[]): Record<string, unknown>[] {
  if (queries.length === 1) return [answers[0] ?? {}]
  const asked = answers.map((answer) => record(answer.searchParameters).q)
  const taken = new Set<number>()
  return queries.map((query, place) => {
    const own = asked.findIndex((q, index) => q === query && !taken.has(index))
    const index = own >= 0 ? own : asked[place] === undefined ? place : -1
    taken.add(index)
    return answers[index] ?? {}
  })
}

/** One answer of Serper's as this tool returns it. */
function toOutput(query: string, data: Record<string, unknown>) {
  const images = list(data.images).filter(Boolean).map(record).map((image) => ({
    url: text(image.imageUrl),
    title: text(image.title),
    source: text(image.link),
    width: number(image.imageWidth),
    height: number(image.imageHeight),
  }))
  return { query, total: images.length, images }
}

/** The project's own key if there is one, otherwise the Beeuni router. */
function chooseProvider(env: Context['env']): Provider {
  const key = env.SERPER_API_KEY?.trim()
  if (key) {
    return checked(
      'SERPER_API_KEY',
      key,
      'SERPER_BASE_URL',
      env.SERPER_BASE_URL?.trim() || 'https://google.serper.dev',
    )
  }

  const router = env.BEEUNI_API_URL?.trim()
  if (router) {
    const token = env.BEEUNI_TOKEN?.trim()
    if (!token) throw new Error('BEEUNI_TOKEN is not set.')
    const { base } = checked('BEEUNI_TOKEN', token, 'BEEUNI_API_URL', router)
    return { base: `${base.replace(/\/v1$/, '')}/v1/router/serper`, key: token }
  }
  throw new Error(
    'SERPER_API_KEY is not set: run `beeuni secrets set SERPER_API_KEY=-` and grant it to this agent, ' +
      'or set BEEUNI_API_URL and BEEUNI_TOKEN to search through the Beeuni router.',
  )
}

/** Refuses settings that no request can be made with. The messages name the variable, never its value. */
function checked(keyName: string, key: string, urlName: string, url: string): Provider {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Error(`${keyName} has characters that no key has: set it again.`)
  if (!/^https?:\/\//i.test(url)) throw new Error(`${urlName} must start with http:// or https://.`)
  return { base: url.replace(/\/+$/, ''), key }
}

/**
 * Sends one request and gives the JSON object or array that came back.
 *
 * Network errors, 408, 429 and 5xx are tried again after a pause; `signal` ends a request and a pause at once.
 */
async function post(
  provider: Provider,
  path: string,
  body: unknown,
  signal: AbortSignal,
  client: Connections | undefined,
): Promise<object> {
  for (let attempt = 1;; attempt++) {
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    let problem: string
    let mayRetry = true
    let pause = PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
    try {
      const request: RequestInit & { client?: Connections } = {
        method: 'POST',
        headers: { 'x-api-key': provider.key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual', // the key goes nowhere else
        signal: AbortSignal.any([signal, deadline]),
        ...(client && { client }),
      }
      const response = await fetch(provider.base + path, request)
      const answer = await response.text()
      const data = response.ok ? parseJson(answer) : undefined
      if (data) return data
      problem = `Serper API returned ${response.status}: ${errorText(answer, provider.key)}`
      mayRetry = response.status === 408 || response.status === 429 || response.status >= 500
      pause = Math.max(pause, retryAfter(response.headers.get('retry-after')))
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted) throw new Error(`Serper API did not answer within ${DEADLINE_MS / 1000} seconds.`)
      problem = `Serper API could not be reached: ${networkReason(error, provider.key)}`
      mayRetry = !(error instanceof Error && error.name === 'NotCapable') // the sandbox may not reach this host
    }
    if (!mayRetry || attempt === TRIES || pause > LONGEST_PAUSE_MS) throw new Error(problem)
    await sleep(pause, undefined, { signal })
  }
}

/**
 * `work` with connections of its own, which are closed when it ends: an abort during a pause leaves none open.
 * Only Deno lets them be closed; elsewhere they are the runtime's, and `undefined` here.
 */
async function withConnections<Result>(
  work: (client: Connections | undefined) => Promise<Result>,
): Promise<Result> {
  const client = (globalThis as { Deno?: DenoFetch }).Deno?.createHttpClient({})
  try {
    return await work(client)
  } finally {
    client?.close()
  }
}

/** Milliseconds that a Retry-After header asks for: it holds seconds or a date. */
function retryAfter(header: string | null): number {
  if (!header) return 0
  const milliseconds = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now()
  return Number.isNaN(milliseconds) ? 0 : milliseconds
}

/** The JSON object or array in `body`, or undefined when there is none. */
function parseJson(body: string): object | undefined {
  try {
    const data: unknown = JSON.parse(body)
    return typeof data === 'object' && data !== null ? data : undefined
  } catch {
    return undefined
  }
}

/** What a body that is no answer says, in one short line: never a whole page, never the key. */
function errorText(body: string, key: string): string {
  const data = record(parseJson(body))
  const words = [data.message, data.error, record(data.error).message]
  const said = (words.map(text).find(Boolean) ?? body).trim()
  if (said === '') return 'an empty response'
  if (/^<(?!\?xml)|<html|<!doctype/i.test(said.slice(0, 1000))) {
    const title = /<title[^>]*>([^<]{1,200})/i.exec(said.slice(0, 10_000))?.[1]?.trim()
    return shorten(title ? `an HTML page (${title})` : 'an HTML page', key)
  }
  return shorten(said, key)
}

/** Why no answer came. The runtime's whole message would repeat the URL. */
function networkReason(error: unknown, key: string): string {
  if (!(error instanceof Error)) return shorten(String(error), key)
  const cause = error.cause instanceof Error ? error.cause.message : error.message
  return shorten(/client error \(\w+\): (.*)/s.exec(cause)?.[1] ?? error.message, key)
}

/** `message` on one line, without the key should it be repeated there, cut to what is shown of an error. */
function shorten(message: string, key: string): string {
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]
  const masked = forms.reduce((masked, form) => masked.replaceAll(form, '***'), message)
  const line = masked.slice(0, 10_000).replace(/\s+/g, ' ').trim()
  if (line.length <= ERROR_CHARACTERS) return line
  return line.slice(0, ERROR_CHARACTERS - 1).replace(/[\ud800-\udbff]$/, '') + '…'
}

/** A whole number from an argument, also from a string; brought into the range, `fallback` if it is no number. */
function numberBetween(least: number, most: number, value: unknown, fallback: number): number {
  const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof given !== 'number' || Number.isNaN(given)) return fallback
  return Math.min(most, Math.max(least, Math.trunc(given)))
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? value as Record<string, unknown> : {}
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function number(value: unknown): number {
  const given = Number(value)
  return Number.isFinite(given) ? given : 0
}
