import { isUtf8 } from 'node:buffer'
import { Hl7Fault } from './hl7-fault.ts'

/** Character sets of HL7 table 0211, by the decoder that reads each. */
const decoders: Readonly<Record<string, string>> = {
  ASCII: 'utf-8',
  'ISO IR6': 'utf-8',
  '8859/1': 'iso-8859-1',
  '8859/2': 'iso-8859-2',
  '8859/3': 'iso-8859-3',
  '8859/4': 'iso-8859-4',
  '8859/5': 'iso-8859-5',
  '8859/6': 'iso-8859-6',
  '8859/7': 'iso-8859-7',
  '8859/8': 'iso-8859-8',
  '8859/9': 'iso-8859-9',
  '8859/15': 'iso-8859-15',
  'UNICODE UTF-8': 'utf-8',
  'UTF-8': 'utf-8',
  'ISO IR14': 'iso-2022-jp',
  'ISO IR87': 'iso-2022-jp',
  'GB 18030-2000': 'gb18030',
  'KS X 1001': 'euc-kr',
  'BIG-5': 'big5',
}

/**
 * The text of a message. Without a name of its character set a message is ASCII; UTF-8 is read as well, since its bytes
 * cannot be mistaken for those of another.
 * @param names the repetitions of MSH-18
 * @throws Hl7Fault for a set that is not known, and bytes that it does not have
 */
export function decodeHl7(bytes: Uint8Array, names: readonly string[]): string {
  const wanted = new Set(names.map((one) => one.trim().toUpperCase()).filter(Boolean))
  const labels = new Set([...wanted].map((one) => decoders[one]))
  // Japanese is named beside ASCII, and switched to by escape sequences
  if (labels.size > 1) labels.delete('utf-8')
  const [label = 'utf-8', ...more] = labels.size > 0 ? labels : ['utf-8']
  if (labels.has(undefined) || more.length > 0) {
    throw new Hl7Fault('value', 'The character set of the message is not known here', 'MSH-18')
  }
  const isAscii = wanted.size > 0 && [...wanted].every((one) => one === 'ASCII' || one === 'ISO IR6')
  const isPlain = bytes.every((byte) => byte <= 0x7f)
  if (isAscii && !isPlain) throw notInSet()
  // no text of Western Europe is made of sequences of UTF-8 alone
  if (!isPlain && (label === 'iso-8859-1' || label === 'iso-8859-15') && isUtf8(bytes)) throw notInSet()
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    if (cause instanceof TypeError) throw notInSet()
    throw cause
  }
}

function notInSet(): Hl7Fault {
  return new Hl7Fault('form', 'The message has bytes that its character set does not have', 'MSH-18')
}
