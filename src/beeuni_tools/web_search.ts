/**
 * web_search: searches the web through Tavily.
 *
 * Settings, read from `context.env` at each call:
 * - TAVILY_API_KEY: search with your own Tavily account. TAVILY_BASE_URL replaces https://api.tavily.com.
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

const TOPICS = ['general', 'news', 'finance']
const DEPTHS = ['basic', 'advanced']

/** One request may take this long, its body included. */
const DEADLINE_MS = 60_000
/** Requests that are under way at the same time. */
const IN_FLIGHT = 5
/** How often one request is sent at most, and the pause before it is sent again (doubled each time). */
const TRIES = 3
const PAUSE_MS = 500
/** A provider that asks for a longer pause than this gets no second try. */
const LONGEST_PAUSE_MS = 60_000
/** What is shown of a provider's error text. */
const ERROR_CHARACTERS = 500

export default {
  description:
    'Search the web. Use it for anything that may have changed since your training or that you are ' +
    'not sure of: news, prices, versions, documentation, people, companies. Returns JSON with a short answer, ' +
    'results (title, url, snippet, score, published_date) and images. To read a whole page afterwards, pass its ' +
    'url to scrape_webpage. Several independent searches go into one call, separated by |||. ' +
    'Example: {"query": "deno 2.9 release notes ||| deno permission flags", "num_results": 5}',
  parameters: {
    type: 'object',
    properties: {
      query: {
        type: 'string',
        description: 'What to search for, as you would type it into a search engine. ' +
          'Separate several queries with |||, for example "population of Oslo ||| population of Bergen".',
      },
      num_results: {
        type: 'number',
        description: 'Results per query, 1 to 20. Default 5.',
        default: 5,
        minimum: 1,
        maximum: 20,
      },
      topic: {
        type: 'string',
        enum: TOPICS,
        description: 'Kind of source: "news" for current events, "finance" for markets. Default "general".',
        default: 'general',
      },
      search_depth: {
        type: 'string',
        enum: DEPTHS,
        description: '"advanced" finds more relevant text but takes longer and costs more. Default "basic".',
        default: 'basic',
      },
    },
    required: ['query'],
  },

  async execute(args: Record<string, unknown>, context: Context) {
    const queries = String(args.query ?? '').split('|||').map((query) => query.trim()).filter(Boolean)
    if (queries.length === 0) throw new Error('The query is empty.')

    const options = {
      search_depth: oneOf(DEPTHS, args.search_depth, 'basic'),
      topic: oneOf(TOPICS, args.topic, 'general'),
      max_results: numberBetween(1, 20, args.num_results, 5),
      include_answer: true,
      include_images: true,
      include_image_descriptions: true,
    }
    const provider = chooseProvider(context.env)

    const found = await withConnections((client) =>
      inParallel(queries, async (query) => {
        try {
          return toOutput(
            query,
            await post(provider, '/search', { query, ...options }, context.signal, client),
          )
        } catch (error) {
          if (context.signal.aborted) throw error
          return { query, success: false, error: error instanceof Error ? error.message : String(error) }
        }
      })
    )

    const errors = found.flatMap((entry) => 'error' in entry ? [`${entry.query}: ${entry.error}`] : [])
    if (errors.length === found.length) throw new Error(`Web search failed. ${errors.join('; ')}`)
    if (queries.length === 1) return found[0]
    return { batch_mode: true, total_queries: queries.length, results: found }
  },
}

/** One answer of Tavily's as this tool returns it. */
function toOutput(query: string, data: Record<string, unknown>) {
  const answer = text(data.answer)
  const results = list(data.results).filter(Boolean).map(record).map((result) => ({
    title: text(result.title),
    url: text(result.url),
    snippet: text(result.content),
    score: number(result.score),
    published_date: text(result.published_date),
  }))
  const images = list(data.images).filter(Boolean).map((image) =>
    typeof image === 'string'
      ? { url: image, description: '' }
      : { url: text(record(image).url), description: text(record(image).description) }
  )
  return {
    query,
    success: results.length > 0 || answer !== '',
    answer,
    results,
    images,
    response_time_ms: Math.round(number(data.response_time) * 1000), // Tavily counts in seconds
  }
}

/** The project's own key if there is one, otherwise the Beeuni router. */
function chooseProvider(env: Context['env']): Provider {
  const key = env.TAVILY_API_KEY?.trim()
  if (key) {
    return checked(
      'TAVILY_API_KEY',
      key,
      'TAVILY_BASE_URL',
      env.TAVILY_BASE_URL?.trim() || 'https://api.tavily.com',
    )
  }

  const router = env.BEEUNI_API_URL?.trim()
  if (router) {
    const token = env.BEEUNI_TOKEN?.trim()
    if (!token) throw new Error('BEEUNI_TOKEN is not set.')
    const { base } = checked('BEEUNI_TOKEN', token, 'BEEUNI_API_URL', router)
    return { base: `${base.replace(/\/v1$/, '')}/v1/router/tavily`, key: token }
  }
  throw new Error(
    'TAVILY_API_KEY is not set: run `beeuni secrets set TAVILY_API_KEY=-` and grant it to this agent, ' +
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
 * Sends one request and gives the JSON object that came back.
 *
 * Network errors, 408, 429 and 5xx are tried again after a pause; `signal` ends a request and a pause at once.
 */
async function post(
  provider: Provider,
  path: string,
  body: unknown,
  signal: AbortSignal,
  client: Connections | undefined,
): Promise<Record<string, unknown>> {
  for (let attempt = 1;; attempt++) {
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    let problem: string
    let mayRetry = true
    let pause = PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
    try {
      const request: RequestInit & { client?: Connections } = {
        method: 'POST',
        headers: { 'authorization': `Bearer ${provider.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'manual', // the key goes nowhere else
        signal: AbortSignal.any([signal, deadline]),
        ...(client && { client }),
      }
      const response = await fetch(provider.base + path, request)
      const answer = await response.text()
      const data = response.ok ? parseObject(answer) : undefined
      if (data) return data
      problem = `Tavily API returned ${response.status}: ${errorText(answer, provider.key)}`
      mayRetry = response.status === 408 || response.status === 429 || response.status >= 500
      pause = Math.max(pause, retryAfter(response.headers.get('retry-after')))
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted) throw new Error(`Tavily API did not answer within ${DEADLINE_MS / 1000} seconds.`)
      problem = `Tavily API could not be reached: ${networkReason(error, provider.key)}`
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

/** The JSON object in `body`, or undefined when there is none. */
function parseObject(body: string): Record<string, unknown> | undefined {
  try {
    const data: unknown = JSON.parse(body)
    return typeof data === 'object' && data !== null && !Array.isArray(data) ? record(data) : undefined
  } catch {
    return undefined
  }
}

/** What a body that is no answer says, in one short line: never a whole page, never the key. */
function errorText(body: string, key: string): string {
  const data = record(parseObject(body))
  const validation = list(data.detail).map((problem) => text(record(problem).msg)).filter(Boolean).join(', ')
  const words = [
    record(data.detail).error,
    data.detail,
    validation,
    record(data.error).message,
    data.error,
    data.message,
  ]
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

/** `work` on each item, a few at a time; the results are in the order of the items. */
async function inParallel<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries() // shared: each item is taken once
  const takeTurns = async () => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, takeTurns))
  return results
}

/** A whole number from an argument, also from a string; brought into the range, `fallback` if it is no number. */
function numberBetween(least: number, most: number, value: unknown, fallback: number): number {
  const given = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof given !== 'number' || Number.isNaN(given)) return fallback
  return Math.min(most, Math.max(least, Math.trunc(given)))
}

/** `value` if it is one of `allowed`, otherwise `fallback`. */
function oneOf(allowed: string[], value: unknown, fallback: string): string {
  return typeof value === 'string' && allowed.includes(value) ? value : fallback
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
