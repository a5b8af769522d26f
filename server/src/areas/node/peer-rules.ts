import { BlockList, isIP } from 'node:net'
import { isAeTitle } from '@hilum/dicom/dimse/ae-title'
import { z } from 'zod'

/** Key of a namespace's setting: the AE title by which DICOM senders call it. */
export const aeTitleSetting = 'dicom_ae_title'
/** Key of a namespace's setting: who may send to it, as JSON; see `peerRules`. */
export const allowedPeersSetting = 'dicom_allowed_peers'
/** Key of a namespace's setting: who may query and retrieve its studies, in the same form. Nobody without it. */
export const queryPeersSetting = 'dicom_query_peers'
/** Key of a namespace's setting: who may ask for its worklist, in the same form. Nobody without it. */
export const worklistPeersSetting = 'dicom_worklist_peers'
/** Key of a namespace's setting: who may send it orders by HL7, in the same form, by sending application and address. */
export const orderSendersSetting = 'hl7_senders'

const address = z
  .string()
  .refine((text) => readAddress(text) !== undefined, 'must be an IP address or a range like 10.0.0.0/8')
const peerRule = z
  .strictObject({ ae_title: z.string().refine(isAeTitle).optional(), address: address.optional() })
  .refine((rule) => rule.ae_title !== undefined || rule.address !== undefined)
/** Rules of which one must fit: the calling AE title, the address, or both of them. */
export const peerRules = z.array(peerRule).max(1000)

export type PeerRule = z.infer<typeof peerRule>

/** Without rules only programs of this machine may send. */
const loopback: readonly PeerRule[] = [{ address: '127.0.0.0/8' }, { address: '::1' }]

/**
 * Whether a sender may come in.
 * @param kept the setting as it is kept; what cannot be read lets nobody in
 */
export function isPeerAllowed(stored: string | null, peer: { callingTitle: string; address: string }): boolean {
  return fitsOne(stored === null ? loopback : readRules(stored), peer)
}

/** Whether a peer may ask, for studies or for a worklist: one that a rule names, and without rules nobody. @param kept as `isPeerAllowed` */
export function mayPeerQuery(stored: string | null, peer: { callingTitle: string; address: string }): boolean {
  return stored !== null && fitsOne(readRules(stored), peer)
}

function fitsOne(rules: readonly PeerRule[], peer: { callingTitle: string; address: string }): boolean {
  return rules.some(
    (rule) =>
      (rule.ae_title === undefined || rule.ae_title === peer.callingTitle) &&
      (rule.address === undefined || isInside(rule.address, peer.address)),
  )
}

/**
 * A rule as a person writes it: `CT_1`, `10.1.0.0/16`, or both as `CT_1@10.1.0.0/16`.
 * @throws Error in words
 */
export function readPeerRule(text: string): PeerRule {
  const at = text.lastIndexOf('@')
  const both = { ae_title: text.slice(0, at), address: text.slice(at + 1) }
  const one = readAddress(text) ? { address: text } : { ae_title: text }
  const rule = peerRule.safeParse(at === -1 ? one : both)
  if (rule.success) return rule.data
  throw new Error(`${text} names no sender: write an AE title, an address or a range, or both as CT_1@10.1.0.0/16.`)
}

/** Whether a setting lets nobody send: a list without a rule, unlike none at all, which lets programs of this machine. */
export function isClosedToSenders(stored: string | null): boolean {
  return stored !== null && listPeerWords(stored).length === 0
}

/** The peers that may send, in words. @param kept the setting as it is kept */
export function describePeers(stored: string | null): string {
  if (stored === null) return 'programs of this machine'
  return listPeerWords(stored).join(', ') || 'nobody'
}

/** The rules as people write them, as `readPeerRule` reads them; none where only programs of this machine may send. */
export function listPeerWords(stored: string | null): string[] {
  if (stored === null) return []
  return readRules(stored).map(({ ae_title, address: from }) => [ae_title, from].filter(Boolean).join('@'))
}

function readRules(stored: string): readonly PeerRule[] {
  try {
    return peerRules.parse(JSON.parse(stored))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return []
    throw error
  }
}

function isInside(range: string, ip: string): boolean {
  const read = readAddress(range)
  const family = isIP(ip)
  if (!read || family === 0) return false
  const list = new BlockList()
  list.addSubnet(read.net, read.prefix, read.family)
  return list.check(ip, family === 6 ? 'ipv6' : 'ipv4')
}

function readAddress(text: string): { net: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [net = '', length, ...more] = text.split('/')
  const version = isIP(net)
  if (version === 0 || more.length > 0) return undefined
  const bits = version === 6 ? 128 : 32
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined
  const prefix = length === undefined ? bits : Number(length)
  return prefix <= bits ? { net, prefix, family: version === 6 ? 'ipv6' : 'ipv4' } : undefined
}
