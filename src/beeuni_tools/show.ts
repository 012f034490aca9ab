/**
 * show: presents something to the user.
 *
 * The web UI draws it from the arguments of the call, not from the output: when you change this file, keep the
 * arguments. The tool checks them, so that the model hears what is wrong before the user sees an empty frame.
 * It reads nothing but whether a file is there and where it really is.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'

/** What a tool is given beside its arguments. */
interface Context {
  sessionId: string
  agent: string
  directory: string
  env: Record<string, string | undefined>
  signal: AbortSignal
}

/** One thing presented, as the output lists it. The content is not repeated. */
interface Entry {
  id: string
  timestamp: string
  type: string
  variant: string
  title?: string
  description?: string
  path?: string
  url?: string
  aspect_ratio?: string
  theme?: string
  language?: string
  metadata?: Record<string, unknown>
}

/** What each type needs, and how it is drawn when the call does not say. */
const TYPES: Record<string, { needs: 'path' | 'url' | 'content'; variant: string }> = {
  file: { needs: 'path', variant: 'compact' },
  image: { needs: 'path', variant: 'gallery' },
  url: { needs: 'url', variant: 'full' },
  text: { needs: 'content', variant: 'detail' },
  error: { needs: 'content', variant: 'compact' },
  video: { needs: 'path', variant: 'gallery' },
  audio: { needs: 'path', variant: 'compact' },
  code: { needs: 'content', variant: 'detail' },
  markdown: { needs: 'content', variant: 'detail' },
  pdf: { needs: 'path', variant: 'full' },
  html: { needs: 'content', variant: 'full' },
  csv: { needs: 'path', variant: 'full' },
  xlsx: { needs: 'path', variant: 'full' },
  docx: { needs: 'path', variant: 'full' },
  pptx: { needs: 'path', variant: 'full' },
}
const VARIANTS = ['compact', 'full', 'gallery', 'detail']
const ASPECT_RATIOS = ['auto', '1:1', '16:9', '9:16', '4:3', '3:2', '21:9']
const THEMES = ['default', 'success', 'warning', 'info', 'danger']

/** Where the host puts outputs that are too long for the model, below the temp folder. */
const SPILL_FOLDER = 'beeuni-tool-output'

/** The arguments that describe one thing; `items` has a list of them. */
const ENTRY_PROPERTIES = {
  type: {
    type: 'string',
    enum: Object.keys(TYPES),
    description:
      'What it is. file, image, video, audio, pdf, csv, xlsx, docx and pptx need `path`; url needs `url`; ' +
      'text, error, code, markdown and html need `content`.',
  },
  title: { type: 'string', description: 'Heading above it.' },
  description: { type: 'string', description: 'A sentence or two below the title.' },
  path: {
    type: 'string',
    description: 'File to show, relative to the project or absolute. It must exist.',
  },
  url: { type: 'string', description: 'Web page to show, http or https.' },
  content: { type: 'string', description: 'The text, code, Markdown or HTML itself.' },
  variant: {
    type: 'string',
    enum: VARIANTS,
    description: 'How much room it takes. Leave it out for what suits the type.',
  },
  aspect_ratio: {
    type: 'string',
    enum: ASPECT_RATIOS,
    description: 'Shape of an image or a video. Default auto.',
  },
  theme: { type: 'string', enum: THEMES, description: 'Colour of the frame. Default "default".' },
  language: { type: 'string', description: 'For code: its language, for example "ts".' },
  metadata: { type: 'object', description: 'Anything else to keep with it.' },
}

export default {
  description:
    'Show something to the user: a file you made, an image, a page, a table, code, a result. Use it when ' +
    'the user should see a thing rather than read about it; the user does not see files or tool outputs by ' +
    'themselves. Pass one thing, or several as `items` (drawn as a carousel). Returns JSON that confirms what was ' +
    'shown; the content is not repeated. ' +
    'Example: {"action": "show", "type": "pdf", "path": "out/report.pdf", "title": "Report for May"}',
  parameters: {
    type: 'object',
    properties: {
      action: { type: 'string', enum: ['show'], description: 'Always "show".' },
      ...ENTRY_PROPERTIES,
      items: {
        type: 'array',
        items: { type: 'object', properties: ENTRY_PROPERTIES, required: ['type'] },
        description:
          'Several things to show together, each with the fields of a single one. Then the fields beside ' +
          'it are ignored but for title and description, which become those of the carousel.',
      },
    },
    required: ['action'],
  },

  execute(args: Record<string, unknown>, context: Context) {
    const items = readItems(args.items)
    if (items) return showSeveral(items, args, context)

    const entry = toEntry(args, context)
    return {
      success: true,
      action: 'show',
      entry,
      message: entry.title
        ? `${entry.type} "${entry.title}" presented to user.`
        : `${entry.type} presented to user.`,
    }
  },
}

function showSeveral(items: unknown[], args: Record<string, unknown>, context: Context) {
  const entries: Entry[] = []
  const warnings: string[] = []
  for (const [index, item] of items.entries()) {
    try {
      if (!isObject(item)) throw new Error('An item must be an object with at least a type.')
      entries.push(toEntry(item, context))
    } catch (error) {
      warnings.push(`Item ${index + 1}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (entries.length === 0) throw new Error(`None of the items can be shown. ${warnings.join(' ')}`)
  return {
    success: true,
    action: 'show',
    ...optional('title', text(args, 'title')),
    ...optional('description', text(args, 'description')),
    items: entries,
    ...optional('warnings', warnings.length > 0 ? warnings : undefined),
    message: `${entries.length} item(s) presented to user as carousel.`,
  }
}

/** Checks what is said about one thing. Throws a sentence that says what to change. */
function toEntry(args: Record<string, unknown>, context: Context): Entry {
  const name = text(args, 'type')
  if (!name) throw new Error(`'type' is required. Use one of: ${Object.keys(TYPES).join(', ')}`)
  const type = Object.hasOwn(TYPES, name) ? TYPES[name] : undefined
  if (!type) throw new Error(`Invalid type '${name}'. Use one of: ${Object.keys(TYPES).join(', ')}`)

  const variant = choice(args, 'variant', VARIANTS) ?? type.variant
  const aspectRatio = choice(args, 'aspect_ratio', ASPECT_RATIOS)
  const theme = choice(args, 'theme', THEMES)
  const metadata = readMetadata(args.metadata)
  if (!text(args, type.needs)) throw new Error(`'${type.needs}' is required when type is '${name}'.`)
  const path = text(args, 'path')
  const url = text(args, 'url')

  return {
    id: randomUUID(),
    timestamp: new Date().toISOString(),
    type: name,
    variant,
    ...optional('title', text(args, 'title')),
    ...optional('description', text(args, 'description')),
    ...optional('path', path && locate(path, context)),
    ...optional('url', url && checkUrl(url)),
    ...optional('aspect_ratio', aspectRatio === 'auto' ? undefined : aspectRatio),
    ...optional('theme', theme === 'default' ? undefined : theme),
    ...optional('language', text(args, 'language')),
    ...optional('metadata', metadata),
  }
}

// ------------------------------------------------------------------------------------------------------- files

/**
 * The absolute path of a file that may be shown: one in the project, in the temp folder or in the folder of this
 * session's long outputs. Throws when it is elsewhere, also through a link, and when nothing is there.
 */
function locate(path: string, context: Context): string {
  const outside = new Error(
    `File is outside the project: ${path}. Copy it into the project or the temp folder and show the copy.`,
  )
  const missing = new Error(`File not found: ${path}`)
  if (path.includes('\0')) throw missing

  const full = resolve(context.directory, path)
  const isAllowed = allowedFolders(context)
  if (!isAllowed(full)) throw outside // before looking: nothing is said about what is elsewhere
  let real: string
  let isFile: boolean
  try {
    real = fs.realpathSync(full)
    if (!isAllowed(real)) throw outside
    isFile = fs.statSync(real).isFile()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error &&
      ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes(String(error.code))
    throw isMissing ? missing : outside // no right to look there counts as outside
  }
  if (!isFile) throw new Error(`Not a file: ${path}`)
  return full
}

/** A test for paths: is it in a folder whose files may be shown? */
function allowedFolders(context: Context): (path: string) => boolean {
  const { TMPDIR, TMP, TEMP } = context.env
  const shared = TMPDIR || TMP || TEMP || '/tmp'
  const temp = [tempFolder(), shared].flatMap(bothWays)
  const spill = temp.flatMap((folder) => bothWays(join(folder, SPILL_FOLDER)))
  const session = context.sessionId || 'no-session'
  const isFolderName = !session.includes(sep) && !/^\.*$/.test(session)
  const own = isFolderName ? bothWays(join(shared, SPILL_FOLDER, session)) : []
  const allowed = [...bothWays(projectRoot(context.directory)), ...own]
  return (path) => {
    if (allowed.some((folder) => isWithin(folder, path))) return true
    if (spill.some((folder) => isWithin(folder, path))) return false // the outputs of other sessions
    return temp.some((folder) => isWithin(folder, path))
  }
}

/** The nearest folder at or above `directory` that has a beeuni.yaml; `directory` itself when there is none. */
function projectRoot(directory: string): string {
  for (let folder = directory;; folder = dirname(folder)) {
    try {
      fs.lstatSync(join(folder, 'beeuni.yaml'))
      return folder
    } catch {
      if (folder === dirname(folder)) return directory
    }
  }
}

function tempFolder(): string {
  try {
    return os.tmpdir()
  } catch {
    return '/tmp'
  }
}

/** A folder as it is written and where it really is. */
function bothWays(folder: string): string[] {
  try {
    return [folder, fs.realpathSync(folder)]
  } catch {
    return [folder]
  }
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

// --------------------------------------------------------------------------------------------------- arguments

/** The list of things to show, also from JSON text; undefined when there is none. */
function readItems(value: unknown): unknown[] | undefined {
  const items = fromJsonText('items', value)
  if (items === undefined) return undefined
  if (!Array.isArray(items)) throw new Error("'items' must be an array of entries, or the JSON text of one.")
  return items.length > 0 ? items : undefined
}

function readMetadata(value: unknown): Record<string, unknown> | undefined {
  const metadata = fromJsonText('metadata', value)
  if (metadata === undefined) return undefined
  if (!isObject(metadata)) throw new Error("'metadata' must be an object, or the JSON text of one.")
  return metadata
}

/** An argument as it is or, when it is a text, as the JSON it holds; undefined when it is empty. */
function fromJsonText(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') return value
  if (value.trim() === '') return undefined
  try {
    return JSON.parse(value)
  } catch (error) {
    throw new Error(`'${name}' is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** A text argument; undefined when it is empty. */
function text(args: Record<string, unknown>, name: string): string | undefined {
  const value = args[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') throw new Error(`'${name}' must be a string.`)
  return value
}

function choice(args: Record<string, unknown>, name: string, allowed: string[]): string | undefined {
  const value = text(args, name)
  if (value === undefined || allowed.includes(value)) return value
  throw new Error(`Invalid ${name} '${value}'. Use one of: ${allowed.join(', ')}`)
}

function checkUrl(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url
  throw new Error(`'url' must be an http or https URL, got: ${url}`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `{ [name]: value }`, or nothing when there is no value: an absent field is left out. */
function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined | '',
): { [Key in Name]?: Value } {
  return value === undefined || value === '' ? {} : { [name]: value } as { [Key in Name]: Value }
}
