type TarFile = { path: string; bytes: Buffer }

const BLOCK = 512

/**
 * Regular files of a tar stream, one in memory at a time. Links, devices and folders are passed over:
 * an npm package holds none that we want.
 * @param wanted says by its path whether a file is read; others are skipped without being kept
 * @throws Error when the stream ends inside a file or a header is broken
 * Source: POSIX.1-2017 pax, ustar interchange format.
 */
export async function* readTar(
  stream: AsyncIterable<Buffer>,
  wanted: (path: string) => boolean,
): AsyncGenerator<TarFile> {
  const reader = new BlockReader(stream)
  let longPath: string | undefined
  for (;;) {
    const header = await reader.read(BLOCK)
    if (header === undefined || header.every((byte) => byte === 0)) return
    checkHeader(header)
    const size = readOctal(header, 124, 12)
    const padded = Math.ceil(size / BLOCK) * BLOCK
    const kind = String.fromCharCode(header[156] ?? 0)
    if (kind === 'x') {
      longPath = paxPath(await readBody(reader, padded, size))
      continue
    }
    const path = longPath ?? ustarPath(header)
    longPath = undefined
    const isFile = kind === '0' || kind === '\0'
    if (isFile && wanted(path)) yield { path, bytes: await readBody(reader, padded, size) }
    else await reader.skip(padded)
  }
}

async function readBody(reader: BlockReader, padded: number, size: number): Promise<Buffer> {
  const body = padded === 0 ? Buffer.alloc(0) : await reader.read(padded)
  if (body === undefined) throw new Error('The archive ends inside a file')
  return body.subarray(0, size)
}

function checkHeader(header: Buffer): void {
  let sum = 0
  for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 32 : (header[at] ?? 0)
  if (sum !== readOctal(header, 148, 8)) throw new Error('The archive has a broken header')
}

function readOctal(header: Buffer, at: number, length: number): number {
  const value = Number.parseInt(readText(header, at, length).trim() || '0', 8)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error('The archive has a broken header')
  return value
}

function readText(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.subarray(0, end < 0 ? length : end).toString('utf8')
}

function ustarPath(header: Buffer): string {
  const prefix = readText(header, 345, 155)
  const name = readText(header, 0, 100)
  return prefix === '' ? name : `${prefix}/${name}`
}

/** A pax record is "<length> <key>=<value>\n", its length counting itself. */
function paxPath(records: Buffer): string | undefined {
  for (let at = 0; at < records.length; ) {
    const space = records.indexOf(32, at)
    const length = Number.parseInt(records.subarray(at, space).toString('latin1'), 10)
    if (space < 0 || !(length > 0)) throw new Error('The archive has a broken header')
    const record = records.subarray(space + 1, at + length - 1).toString('utf8')
    if (record.startsWith('path=')) return record.slice('path='.length)
    at += length
  }
  return undefined
}

class BlockReader {
  private readonly chunks: AsyncIterator<Buffer>
  private held: Buffer[] = []
  private heldBytes = 0

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]()
  }

  /** Undefined when the stream ended before the first byte of what is asked. */
  async read(size: number): Promise<Buffer | undefined> {
    while (this.heldBytes < size) {
      const next = await this.chunks.next()
      if (next.done) {
        if (this.heldBytes === 0) return undefined
        throw new Error('The archive ends inside a file')
      }
      this.held.push(next.value)
      this.heldBytes += next.value.length
    }
    const all = this.held.length === 1 ? (this.held[0] as Buffer) : Buffer.concat(this.held)
    this.held = [all.subarray(size)]
    this.heldBytes = all.length - size
    return all.subarray(0, size)
  }

  async skip(size: number): Promise<void> {
    for (let left = size; left > 0; ) {
      const step = Math.min(left, Math.max(this.heldBytes, BLOCK))
      if ((await this.read(step)) === undefined) throw new Error('The archive ends inside a file')
      left -= step
    }
  }
}
