import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing, writeTextDurably } from './backup/durable-files.ts'

/** Encrypts secrets that the database keeps for a while, so that the database alone does not tell them. */
export interface Sealer {
  /** @param owner uuid of the row that keeps the secret; the seal opens with the same uuid only */
  seal: (secret: string, owner: string) => Buffer
  /** Undefined for a seal of another installation, of another owner, or one that was changed. */
  open: (sealed: Buffer, owner: string) => string | undefined
}

/** The installation's key, in its data folder; exports hold the file as they hold the certificate. */
const keyFile = 'installation.key'
const cipher = 'aes-256-gcm'
const keyBytes = 32
const nonceBytes = 12
const tagBytes = 16

/**
 * Reads the installation's key, and makes one where there is none.
 * @throws Error in words when the file holds no key
 */
export async function openSealer(dataFolder: string): Promise<Sealer> {
  const key = await readKey(join(dataFolder, keyFile))
  return {
    seal: (secret, owner) => {
      const nonce = randomBytes(nonceBytes)
      const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(owner))
      const text = Buffer.concat([encryption.update(secret, 'utf8'), encryption.final()])
      return Buffer.concat([nonce, encryption.getAuthTag(), text])
    },
    open: (sealed, owner) => {
      try {
        const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
        const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
          .setAAD(Buffer.from(owner))
          .setAuthTag(tag)
        const text = decryption.update(sealed.subarray(nonceBytes + tagBytes))
        return Buffer.concat([text, decryption.final()]).toString('utf8')
      } catch {
        return undefined // the callers say what is missing
      }
    },
  }
}

async function readKey(path: string): Promise<Buffer> {
  try {
    const key = Buffer.from(await readFile(path, 'utf8'), 'base64url')
    if (key.length === keyBytes) return key
  } catch (error) {
    if (!isMissing(error)) throw error
    const made = randomBytes(keyBytes)
    await writeTextDurably(path, made.toString('base64url'))
    return made
  }
  throw new Error(`${path} holds no key. Restore the file from a backup, or remove it: mails that wait are then lost.`)
}
