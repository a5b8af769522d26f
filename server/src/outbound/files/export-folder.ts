import { mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Makes a folder that an operator named, for the operator's eyes alone.
 * @throws where the folder is there
 */
export async function makeExportFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
}

/** Writes a file into such a folder. @param name may name folders, which are made */
export async function writeExportFile(
  folder: string,
  name: string,
  content: string | Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await using file = await open(path, 'w', 0o600)
  if (typeof content === 'string' || content instanceof Uint8Array) await file.writeFile(content)
  else for await (const chunk of content) await file.writeFile(chunk)
}
