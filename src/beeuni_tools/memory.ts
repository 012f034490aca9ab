/**
 * memory: notes that last longer than a conversation, as files under `<directory>/memory`.
 *
 * Commands, arguments and answers are those of Anthropic's memory tool (`memory_20250818`), which models know.
 * What can't be done is answered as text, so that the model reads it; only faults of the disk are thrown.
 *
 * The tool touches nothing outside `memory/`: it needs read and write rights on that folder alone. Links are not
 * followed. The web UI reads the arguments `command` and `path`: when you change this file, keep them.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a tool is given beside its arguments. */
interface Context {
  sessionId: string
  agent: string
  directory: string
  env: Record<string, string | undefined>
  signal: AbortSignal
}

/** A path of the model's, found on disk. */
interface Place {
  /** As the model wrote it; answers repeat it. */
  path: string
  /** Where it is. */
  full: string
  isRoot: boolean
  /** What is there; undefined when nothing is. */
  kind: 'file' | 'folder' | 'other' | undefined
}

/** An answer that says why a command was not carried out. */
class Refusal extends Error {}

/** What each command can't do without. */
const REQUIRED: Record<string, string[]> = {
  view: ['path'],
  create: ['path', 'file_text'],
  str_replace: ['path', 'old_str'],
  insert: ['path', 'insert_line', 'insert_text'],
  delete: ['path'],
  rename: ['old_path', 'new_path'],
}
const MAX_LINES = 999_999
const CONTEXT_LINES = 2
/** A lock this old was left behind by a process that died: a change takes milliseconds. */
const STALE_LOCK_MS = 5_000

export default {
  description:
    'Remember things across conversations, in text files under memory/. View the folder before you start ' +
    'a task: earlier sessions may have left notes there. Write down what a later session will need (decisions, ' +
    'progress, preferences, facts about the project), keep it short and up to date, and delete what is no longer ' +
    'true. Never store passwords or keys. Commands: view (a folder or a file), create (a new file), str_replace ' +
    '(change a passage), insert (add lines), delete, rename. Each answers with a sentence; view answers with the ' +
    'listing or the numbered lines. ' +
    'Example: {"command": "create", "path": "memory/release.md", "file_text": "# Release\\nTag first, then publish.\\n"}',
  parameters: {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        enum: Object.keys(REQUIRED),
        description: 'What to do.',
      },
      path: {
        type: 'string',
        description:
          'File or folder, for every command but rename: "memory" or a path that starts with "memory/".',
      },
      view_range: {
        type: 'array',
        items: { type: 'integer' },
        description:
          'For view of a file: first and last line, for example [1, 20]. -1 as the last means to the end.',
      },
      file_text: { type: 'string', description: 'For create: the text of the new file.' },
      old_str: {
        type: 'string',
        description:
          'For str_replace: the text to replace, exactly as it is in the file; it must occur once.',
      },
      new_str: {
        type: 'string',
        description: 'For str_replace: the text to put there. Leave it out to delete the old text.',
      },
      insert_line: {
        type: 'integer',
        description: 'For insert: the number of the line to insert after; 0 is the beginning of the file.',
      },
      insert_text: { type: 'string', description: 'For insert: the lines to insert.' },
      old_path: { type: 'string', description: 'For rename: the file or folder to rename or move.' },
      new_path: { type: 'string', description: 'For rename: its new path. Nothing may be there yet.' },
    },
    required: ['command'],
  },

  async execute(args: Record<string, unknown>, context: Context): Promise<string> {
    try {
      return await run(args, context)
    } catch (error) {
      if (error instanceof Refusal) return error.message
      if (codeOf(error) === 'ENAMETOOLONG') return 'Error: The path is too long: use shorter names.'
      throw error
    }
  },
}

async function run(args: Record<string, unknown>, { directory, signal }: Context): Promise<string> {
  const command = String(args.command ?? '')
  const required = Object.hasOwn(REQUIRED, command) ? REQUIRED[command] : undefined
  if (!required) {
    throw new Refusal(
      `Error: Unknown command \`${command}\`. Use one of: ${Object.keys(REQUIRED).join(', ')}`,
    )
  }
  // An empty text is fine as the content of a file; as a path or as the text to look for it is as good as none.
  const absent = required.find((name) =>
    (args[name] ?? '') === '' && !(args[name] === '' && name.endsWith('_text'))
  )
  if (absent) throw new Refusal(`Error: \`${absent}\` is required for ${command}.`)

  // Anything else would be written as `[object Object]`.
  const unreadable = [...required, 'new_str'].find((name) =>
    name !== 'insert_line' && typeof (args[name] ?? '') === 'object'
  )
  if (unreadable) throw new Refusal(`Error: \`${unreadable}\` must be a string.`)

  const root = join(directory, 'memory')
  const at = (argument: string) => locate(root, String(args[argument]))
  const changing = <Result>(work: (lock: Lock) => Result) => withLock(root, signal, work)

  switch (command) {
    case 'view':
      return view(at('path'), args.view_range)
    case 'create':
      creatable(at('path'))
      fs.mkdirSync(root, { recursive: true, mode: 0o700 })
      return await changing((lock) => create(lock, at('path'), String(args.file_text)))
    case 'str_replace':
      existingFile(at('path'))
      return await changing((lock) =>
        replace(lock, at('path'), String(args.old_str), String(args.new_str ?? ''))
      )
    case 'insert':
      existingFile(at('path'))
      return await changing((lock) => insert(lock, at('path'), args.insert_line, String(args.insert_text)))
    case 'delete':
      removable(at('path'))
      return await changing(() => remove(at('path')))
    default:
      movable(at('old_path'), at('new_path'))
      return await changing(() => rename(at('old_path'), at('new_path')))
  }
}

// ---------------------------------------------------------------------------------------------------- commands

function view(place: Place, range: unknown): string {
  if (place.kind === 'folder') return viewFolder(place)
  if (place.kind !== 'file') {
    throw new Refusal(`The path ${place.path} does not exist. Please provide a valid path.`)
  }
  const lines = linesOf(fs.readFileSync(place.full, 'utf8'))
  if (lines.length > MAX_LINES) {
    throw new Refusal(`File ${place.path} has too many lines (${lines.length}). Maximum is 999,999 lines.`)
  }
  const [first, last] = readRange(range, lines.length)
  return [`Here's the content of ${place.path} with line numbers:`, ...numbered(lines, first, last)].join(
    '\n',
  )
}

function viewFolder(place: Place): string {
  const shown = place.path.replace(/\/+$/, '')
  const lines = [
    `Here're the files and directories up to 2 levels deep in ${place.path}, excluding hidden items and node_modules:`,
    `${humanSize(inspect(place.full)?.size ?? 0)}\t${place.path}`,
  ]
  const list = (folder: string, name: string, level: number) => {
    for (const entry of entriesOf(folder)) {
      if (entry.startsWith('.') || entry === 'node_modules') continue
      const info = inspect(`${folder}/${entry}`)
      if (info?.kind === 'file') lines.push(`${humanSize(info.size)}\t${name}/${entry}`)
      if (info?.kind !== 'folder') continue
      lines.push(`${humanSize(info.size)}\t${name}/${entry}/`)
      if (level < 2) list(`${folder}/${entry}`, `${name}/${entry}`, level + 1)
    }
  }
  list(place.full, shown, 1)
  return lines.join('\n')
}

/** The names in a folder, sorted; none when it has just been deleted. */
function entriesOf(folder: string): string[] {
  try {
    const names = deno ? Array.from(deno.readDirSync(folder), (entry) => entry.name) : fs.readdirSync(folder)
    return names.sort()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

function create(lock: Lock, place: Place, text: string): string {
  creatable(place)
  makeParents(place)
  lock.write(place.full, text)
  return `File created successfully at: ${place.path}`
}

function replace(lock: Lock, place: Place, old: string, replacement: string): string {
  const original = readText(existingFile(place))
  const ending = lineEnding(original)
  const content = original.replaceAll('\r\n', '\n')
  const wanted = old.replaceAll('\r\n', '\n')

  const found: number[] = []
  for (let at = content.indexOf(wanted); at >= 0; at = content.indexOf(wanted, at + 1)) found.push(at)
  const start = found[0]
  if (start === undefined) {
    throw new Refusal(
      `No replacement was performed, old_str \`${old}\` did not appear verbatim in ${place.path}.`,
    )
  }
  if (found.length > 1) {
    throw new Refusal(
      `No replacement was performed. Multiple occurrences of old_str \`${old}\` in lines: ` +
        `${lineNumbers(content, found).join(', ')}. Please ensure it is unique`,
    )
  }

  const inserted = replacement.replaceAll('\r\n', '\n')
  const result = original.slice(0, withCarriageReturns(original, start)) +
    inserted.replaceAll('\n', ending) +
    original.slice(withCarriageReturns(original, start + wanted.length))
  lock.write(place.full, result)

  const [first = 1, last = 1] = lineNumbers(
    content.slice(0, start) + inserted,
    [start, start + Math.max(0, inserted.length - 1)],
  )
  return [
    'The memory file has been edited. Here is the snippet showing the change (with line numbers):',
    ...numbered(linesOf(result), first - CONTEXT_LINES, last + CONTEXT_LINES),
  ].join('\n')
}

function insert(lock: Lock, place: Place, line: unknown, text: string): string {
  const original = readText(existingFile(place))
  const ending = lineEnding(original)
  const mark = original.startsWith('\ufeff') ? '\ufeff' : '' // a byte order mark stays the first
  // Lines with their own endings, so that the rest of the file stays as it is.
  const lines: string[] = original.slice(mark.length).match(/[^\n]*\n|[^\n]+$/g) ?? []
  const after = typeof line === 'string' && line.trim() !== '' ? Number(line) : line
  if (typeof after !== 'number' || !Number.isInteger(after) || after < 0 || after > lines.length) {
    throw new Refusal(
      `Error: Invalid \`insert_line\` parameter: ${line}. ` +
        `It should be within the range of lines of the file: [0, ${lines.length}]`,
    )
  }
  const added = text.replaceAll('\r\n', '\n').replace(/\n$/, '').replaceAll('\n', ending)
  const last = lines.at(-1)
  if (after === lines.length && last !== undefined && !last.endsWith('\n')) {
    lines.push(ending + added) // the last line had no ending, and the new one gets none either
  } else {
    lines.splice(after, 0, lines.length === 0 && !text.endsWith('\n') ? added : added + ending)
  }
  lock.write(place.full, mark + lines.join(''))
  return `The file ${place.path} has been edited.`
}

function remove(place: Place): string {
  removable(place)
  fs.rmSync(place.full, { recursive: true })
  return `Successfully deleted ${place.path}`
}

function rename(from: Place, to: Place): string {
  movable(from, to)
  makeParents(to)
  fs.renameSync(from.full, to.full)
  return `Successfully renamed ${from.path} to ${to.path}`
}

function existingFile(place: Place): Place {
  if (place.kind === 'file') return place
  throw new Refusal(`Error: The path ${place.path} does not exist. Please provide a valid path.`)
}

function creatable(place: Place): void {
  if (place.kind || place.isRoot) throw new Refusal(`Error: File ${place.path} already exists`)
}

function removable(place: Place): void {
  if (place.isRoot) throw new Refusal('Cannot delete the memory directory itself')
  if (!place.kind) throw new Refusal(`Error: The path ${place.path} does not exist`)
}

function movable(from: Place, to: Place): void {
  if (from.isRoot) throw new Refusal('Error: Cannot rename the memory directory itself')
  if (!from.kind) throw new Refusal(`Error: The path ${from.path} does not exist`)
  if (to.kind || to.isRoot) throw new Refusal(`Error: The destination ${to.path} already exists`)
  if (to.full.startsWith(`${from.full}/`)) throw new Refusal(`Error: Cannot move ${from.path} into itself`)
}

// ------------------------------------------------------------------------------------------------------- paths

/**
 * Finds a path of the model's under `root`.
 *
 * The root may be written `memory` or `memories`, also with `./` or `/` before it. `..` and links are refused.
 */
function locate(root: string, path: string): Place {
  const [first, ...rest] = path.replace(/^(?:\.?\/)+/, '').split('/')
  if (first !== 'memory' && first !== 'memories') {
    throw new Refusal(`Error: Path must start with memory, got: ${path}`)
  }
  const escapes = new Refusal(`Error: Path ${path} would escape memory directory`)
  if (path.includes('\0') || path.split(/[\\/]/).includes('..')) throw escapes

  let full = root
  let info = inspect(root)
  if (info?.kind === 'link') throw escapes
  const names = rest.filter((name) => name !== '' && name !== '.')
  for (const name of names) {
    full = `${full}/${name}`
    info = info?.kind === 'folder' ? inspect(full) : undefined
    if (info?.kind === 'link') throw escapes
  }
  return { path, full, isRoot: names.length === 0, kind: info?.kind }
}

/**
 * Deno's own calls take half the time of its node:fs, which shows when a folder has thousands of files
 * (10,000: 35 ms instead of 75). They are used where they are there.
 */
const deno = (globalThis as { Deno?: DenoFiles }).Deno
interface DenoFiles {
  lstatSync(path: string): { size: number; isFile: boolean; isDirectory: boolean; isSymlink: boolean }
  readDirSync(path: string): Iterable<{ name: string }>
}

/** Size in bytes and kind of what is at `path`, not following a link; undefined when nothing is there. */
function inspect(path: string): { size: number; kind: 'file' | 'folder' | 'link' | 'other' } | undefined {
  try {
    if (deno) {
      const info = deno.lstatSync(path)
      return {
        size: info.size,
        kind: info.isFile ? 'file' : info.isDirectory ? 'folder' : info.isSymlink ? 'link' : 'other',
      }
    }
    const info = fs.lstatSync(path)
    return {
      size: info.size,
      kind: info.isFile() ? 'file' : info.isDirectory() ? 'folder' : info.isSymbolicLink() ? 'link' : 'other',
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Makes the folders above a place. */
function makeParents(place: Place): void {
  try {
    fs.mkdirSync(dirname(place.full), { recursive: true, mode: 0o700 })
  } catch (error) {
    if (!['ENOTDIR', 'EEXIST'].includes(codeOf(error))) throw error
    throw new Refusal(`Error: Path ${place.path} goes through a file, not a folder`)
  }
}

// -------------------------------------------------------------------------------------------------------- text

/** The text of a file that is to be changed. Throws when it is not UTF-8: writing it back would damage it. */
function readText(place: Place): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fs.readFileSync(place.full))
  } catch (error) {
    if (error instanceof TypeError) throw new Error(`${place.path} is not UTF-8 text, so it can't be edited.`)
    throw error
  }
}

/** The lines of a text without their endings; a final newline starts no line. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** Lines `first` to `last`, counted from 1, each with its number. */
function numbered(lines: string[], first: number, last: number): string[] {
  const start = Math.max(first, 1)
  return lines.slice(start - 1, last).map((line, index) => `${String(start + index).padStart(6)}\t${line}`)
}

/** The line each of the ascending `offsets` is on, counted from 1. */
function lineNumbers(text: string, offsets: number[]): number[] {
  let line = 1
  let lineEnd = text.indexOf('\n') // looked for once a line: a long one may have a million offsets
  return offsets.map((offset) => {
    for (; lineEnd >= 0 && lineEnd < offset; line++) lineEnd = text.indexOf('\n', lineEnd + 1)
    return line
  })
}

/** The line ending most lines of `text` have. */
function lineEnding(text: string): '\n' | '\r\n' {
  const withReturn = text.split('\r\n').length - 1
  return withReturn * 2 > text.split('\n').length - 1 ? '\r\n' : '\n'
}

/** Where `offset` of `text` with `\n` alone is in `text` as it stands, with its `\r\n`. */
function withCarriageReturns(text: string, offset: number): number {
  let position = offset
  for (let at = text.indexOf('\r\n'); at >= 0 && at < position; at = text.indexOf('\r\n', at + 2)) position++
  return position
}

/** First and last line of a `view_range`, also of one written as text; all lines when it is none. */
function readRange(range: unknown, count: number): [first: number, last: number] {
  const [first, last] =
    String(range ?? '').match(/-?\d+(?:\.\d+)?/g)?.map((number) => Math.trunc(Number(number))) ?? []
  if (first === undefined || last === undefined) return [1, count]
  return [first, last === -1 ? count : Math.max(0, last)]
}

/** A size in bytes for people: `512B`, `4.0K`, `1.2M`. */
function humanSize(bytes: number): string {
  if (bytes < 1024) return `${bytes}B`
  let size = bytes / 1024
  let unit = 'K'
  for (const larger of ['M', 'G', 'T']) {
    if (size < 1023.95) break
    size /= 1024
    unit = larger
  }
  return `${size.toFixed(1)}${unit}`
}

// ----------------------------------------------------------------------------------------------------- changes

/** The right to change what is in `memory/`. */
interface Lock {
  /** Replaces `target` in one step and gives the lock back: a reader sees the old text or the new, never a part. */
  write(target: string, text: string): void
}

/**
 * Does `work` while nobody else changes anything: two agents run in two processes.
 *
 * The lock is the file `memory/.lock`, made exclusively. It is also the temporary file: new text is written to it,
 * brought to disk, and renamed over the target. So a process that dies leaves the target as it was and at most this
 * one hidden file, which the next change takes over. `work` must not wait for anything.
 */
async function withLock<Result>(
  root: string,
  signal: AbortSignal,
  work: (lock: Lock) => Result,
): Promise<Result> {
  const lockFile = join(root, '.lock')
  const file = await takeLock(lockFile, signal)
  const isMine = () => fs.lstatSync(lockFile, { throwIfNoEntry: false })?.ino === fs.fstatSync(file).ino
  try {
    return work({
      write(target, text) {
        fs.writeFileSync(file, text)
        fs.fsyncSync(file)
        if (!isMine()) throw new Error('The change took too long and was given up: try again.')
        fs.renameSync(lockFile, target)
      },
    })
  } finally {
    if (isMine()) fs.rmSync(lockFile)
    fs.closeSync(file)
  }
}

async function takeLock(lockFile: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return fs.openSync(lockFile, 'wx', 0o600)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    dropStaleLock(lockFile)
    await sleep(5 + Math.random() * 15, undefined, { signal })
  }
}

function dropStaleLock(lockFile: string): void {
  const lock = fs.lstatSync(lockFile, { throwIfNoEntry: false })
  if (lock?.isDirectory()) throw new Refusal('Error: memory/.lock must not be a folder: move it elsewhere.')
  // A time far ahead is none that a process made which still works: a clock was set back, or the file was copied.
  if (!lock || Math.abs(Date.now() - lock.mtimeMs) < STALE_LOCK_MS) return
  // Renamed first: of several processes that see the stale lock, one gets it.
  const taken = `${lockFile}-${randomUUID()}`
  try {
    fs.renameSync(lockFile, taken)
    fs.rmSync(taken)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** The system's name of an error, such as `ENOENT`; empty when it has none. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
