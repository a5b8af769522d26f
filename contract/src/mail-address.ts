/** Longer than any list that is taken, with its names; reading takes time by the square of the length. */
const longestList = 10_000

/**
 * Whether a text is one bare address that a mail can go to: something before and after one @, with a dot behind it, and
 * nothing that a mail program would read as a list, a name, a comment or brackets.
 */
export function isMailable(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(text) && !/[<>()[\]",;:\\\p{Cc}\p{Cf}]/u.test(text)
}

/**
 * Addresses as people type them or mail programs copy them (RFC 5322 §3.4): with commas, semicolons, lines or blanks
 * between, a name before, brackets around. Each stands once, bare, whatever its case. A part that cannot be read stands
 * as it was typed, so that nobody is left out silently, and fails `isMailable`.
 */
export function readAddresses(typed: string): string[] {
  if (typed.length > longestList) return [typed.trim()]
  const found: string[] = []
  // Words before a comma may be the first half of a name: Kern, Anna <anna@example.org>.
  let begun: string[] = []
  const give = (...addresses: readonly string[]) => {
    found.push(...begun, ...addresses)
    begun = []
  }
  for (const { text, isBeforeComma } of partsOf(withoutUnseen(typed))) {
    const read = readPart(text)
    if (read.kind === 'named') {
      begun = read.hasName ? [] : begun
      give(...read.addresses)
    } else if (read.kind === 'words' && isBeforeComma) begun.push(text)
    else give(...(read.kind === 'bare' ? read.addresses : [text]))
  }
  give()
  return found.filter((one, at) => found.findIndex((other) => other.toLowerCase() === one.toLowerCase()) === at)
}

/** One address without the name and brackets around it; any other text as it was typed, which `isMailable` refuses. */
export function readOneAddress(typed: string): string {
  const [first, ...others] = readAddresses(typed)
  return first !== undefined && others.length === 0 && isMailable(first) ? first : typed.trim()
}

/** The one address of a text, bare; undefined where there is none, or several. */
export function readMailable(typed: string): string | undefined {
  const address = readOneAddress(typed)
  return isMailable(address) ? address : undefined
}

/** The bare addresses of a text with commas between, as a field shows them; the text itself where a part is none. */
export function tidyAddresses(typed: string): string {
  const read = readAddresses(typed)
  return read.every(isMailable) ? read.join(', ') : typed
}

/** Marks of direction and blanks without width come along when an address is copied; no address needs them. */
function withoutUnseen(text: string): string {
  return text.replace(/\p{Cf}/gu, '')
}

/** Parts between commas, semicolons and ends of lines, but for those in quotes and brackets. */
function partsOf(text: string): { text: string; isBeforeComma: boolean }[] {
  return [...text.matchAll(/((?:"(?:\\.|[^"\\])*"|<[^<>]*>|\([^()]*\)|[^,;\r\n])*)([,;\r\n]|$)/g)]
    .map(([, part = '', end]) => ({ text: part.trim(), isBeforeComma: end === ',' }))
    .filter((part) => part.text !== '')
}

type ReadPart =
  | { kind: 'bare'; addresses: readonly string[] }
  | { kind: 'named'; addresses: readonly string[]; hasName: boolean }
  | { kind: 'words' | 'unread' }

function readPart(part: string): ReadPart {
  if (part.includes('<')) return readNamed(part)
  const words = part.split(/\s+/).map(bareOf)
  if (words.every(isMailable)) return { kind: 'bare', addresses: words }
  // A dot inside a word, or an @, is rather an address with a fault than half of a name.
  return { kind: /@|\S\.\S/.test(part) ? 'unread' : 'words' }
}

/** Addresses in angle brackets, each behind a name or nothing, with a comment behind the last at most. */
function readNamed(part: string): ReadPart {
  const named = [...part.matchAll(/(?:"(?:\\.|[^"\\])*"|[^<>"])*<([^<>]*)>/gy)]
  const rest = named.reduce((left, [whole]) => left.slice(whole.length), part)
  const addresses = named.map(([, inside = '']) => bareOf(inside.trim()))
  const names = named.map(([whole]) => whole.slice(0, whole.lastIndexOf('<')))
  const isRead =
    named.length > 0 && /^\s*(\([^()]*\)\s*)?$/.test(rest) && names.every((name, at) => isNameOf(name, addresses[at]))
  return isRead ? { kind: 'named', addresses, hasName: Boolean(names[0]?.trim()) } : { kind: 'unread' }
}

/** A name that holds another address than the one behind it may be a second recipient. */
function isNameOf(name: string, address: string | undefined): boolean {
  const words = name.split(/[\s"'’‘“”(),;]+/).filter((word) => word.includes('@'))
  return words.every((word) => bareOf(word).toLowerCase() === address?.toLowerCase())
}

/** A word without the quotes, brackets or `mailto:` around it. */
function bareOf(word: string): string {
  return word.replace(/^["'’‘“”([]+|["'’‘“”)\]]+$/g, '').replace(/^mailto:/i, '')
}
