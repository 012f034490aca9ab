/**
 * scrape_webpage: reads web pages through Firecrawl and returns them as Markdown.
 *
 * Settings, read from `context.env` at each call:
 * - FIRECRAWL_API_KEY: read with your own Firecrawl account. FIRECRAWL_BASE_URL replaces https://api.firecrawl.dev.
 * - otherwise BEEUNI_API_URL and BEEUNI_TOKEN: read through the Beeuni router.
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

/** Firecrawl gives up on a page after this time; we wait a little longer for it to say so. */
const PAGE_MS = 30_000
const DEADLINE_MS = 35_000
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
    'Read web pages. Use it when you have a URL, for example from web_search or from the user, and need ' +
    'what the page says. JavaScript is run, PDFs are read. Returns JSON with the page title and its content as ' +
    'Markdown; pages that could not be read are listed with the reason. Several pages go into one call, separated ' +
    'by commas. Example: {"urls": "https://example.com/pricing, https://example.com/faq"}',
  parameters: {
    type: 'object',
    properties: {
      urls: {
        type: 'string',
        description: 'One or more http or https URLs, separated by commas, for example ' +
          '"https://example.com/a, https://example.com/b".',
      },
      include_html: {
        type: 'boolean',
        description: 'Also return the HTML of each page. Default false: the Markdown is usually enough.',
        default: false,
      },
    },
    required: ['urls'],
  },

  async execute(args: Record<string, unknown>, context: Context) {
    const urls = splitUrls(String(args.urls ?? ''))
    if (!urls.some(isWebUrl)) throw new Error('No valid URLs provided.')

    const withHtml = args.include_html === true || args.include_html === 'true'
    const formats = withHtml ? ['markdown', 'html'] : ['markdown']
    const provider = chooseProvider(context.env)

    const results = await withConnections((client) =>
      inParallel(urls, async (url) => {
        try {
          if (!isWebUrl(url)) throw new Error('Only http and https URLs can be read.')
          const body = { url, formats, timeout: PAGE_MS }
          const data = await post(provider, '/v2/scrape', body, context.signal, client)
          return toOutput(url, data, withHtml, provider.key)
        } catch (error) {
          if (context.signal.aborted) throw error
          return { url, success: false, error: error instanceof Error ? error.message : String(error) }
        }
      })
    )

    const errors = results.flatMap((entry) => 'error' in entry ? [`${entry.url}: ${entry.error}`] : [])
    if (errors.length === results.length) {
      throw new Error(`Failed to scrape all ${results.length} URLs. ${errors.join('; ')}`)
    }
    if (results.length === 1) return results[0]
    return {
      total: results.length,
      successful: results.length - errors.length,
      failed: errors.length,
      results,
    }
  },
}

/**
 * The URLs of a comma-separated list. A comma in a path or a query belongs to the URL, unless a space or the
 * start of the next URL follows it. A bare host such as `example.com/page` becomes an https URL.
 *
 * Each lookbehind keeps a run of white space from being tried again from each of its places, which takes seconds.
 */
function splitUrls(list: string): string[] {
  return list
    .split(/,\s+|,(?=https?:\/\/)|(?<!\s)\s+(?=https?:\/\/)|[\r\n]/i)
    .flatMap((part) => {
      const [authority = ''] = /^\s*(?:[a-z][a-z\d+.-]*:\/\/)?[^/?#]*/i.exec(part) ?? []
      const hosts = authority.split(',') // no host has a comma in it
      return [...hosts.slice(0, -1), (hosts.at(-1) ?? '') + part.slice(authority.length)]
    })
    .map((part) => part.replace(/^[\s,]+|(?<![\s,])[\s,]+$/g, ''))
    .filter(Boolean)
    .map((part) => hasScheme(part) ? part : `https://${part.replace(/^\/\//, '')}`)
}

/** Whether `part` says how to reach it, as in `ftp://x` or `mailto:x`; `localhost:8080` does not. */
function hasScheme(part: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(part) && !/^[^/?#]*:\d+(?:[/?#]|$)/.test(part)
}

function isWebUrl(url: string): boolean {
  return /^https?:\/\/[^/?#]/i.test(url) && URL.canParse(url)
}

/** One answer of Firecrawl's as this tool returns it. */
function toOutput(url: string, answer: Record<string, unknown>, withHtml: boolean, key: string) {
  if (answer.success === false || !answer.data) {
    throw new Error(`Firecrawl could not read the page: ${errorText(JSON.stringify(answer), key)}`)
  }
  const data = record(answer.data)
  const metadata = record(data.metadata)
  const content = text(data.markdown)
  return {
    url,
    success: true,
    title: text(Array.isArray(metadata.title) ? metadata.title[0] : metadata.title), // a page may have several titles
    content,
    content_length: content.length,
    ...(withHtml && typeof data.html === 'string' ? { html: data.html } : {}),
    ...(data.metadata ? { metadata: data.metadata } : {}),
  }
}

/** The project's own key if there is one, otherwise the Beeuni router. */
function chooseProvider(env: Context['env']): Provider {
  const key = env.FIRECRAWL_API_KEY?.trim()
  if (key) {
    return checked(
      'FIRECRAWL_API_KEY',
      key,
      'FIRECRAWL_BASE_URL',
      env.FIRECRAWL_BASE_URL?.trim() || 'https://api.firecrawl.dev',
    )
  }

  const router = env.BEEUNI_API_URL?.trim()
  if (router) {
    const token = env.BEEUNI_TOKEN?.trim()
    if (!token) throw new Error('BEEUNI_TOKEN is not set.')
    const { base } = checked('BEEUNI_TOKEN', token, 'BEEUNI_API_URL', router)
    return { base: `${base.replace(/\/v1$/, '')}/v1/router/firecrawl`, key: token }
  }
  throw new Error(
    'FIRECRAWL_API_KEY is not set: run `beeuni secrets set FIRECRAWL_API_KEY=-` and grant it to this agent, ' +
      'or set BEEUNI_API_URL and BEEUNI_TOKEN to read through the Beeuni router.',
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
      problem = `Firecrawl API returned ${response.status}: ${errorText(answer, provider.key)}`
      mayRetry = response.status === 408 || response.status === 429 || response.status >= 500
      pause = Math.max(pause, retryAfter(response.headers.get('retry-after')))
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted) {
        throw new Error(`Firecrawl API did not answer within ${DEADLINE_MS / 1000} seconds.`)
      }
      problem = `Firecrawl API could not be reached: ${networkReason(error, provider.key)}`
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
  const words = [data.error, record(data.error).message, data.message]
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

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? value as Record<string, unknown> : {}
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
