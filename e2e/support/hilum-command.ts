import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'

const repository = resolve(import.meta.dirname, '..', '..')

/** Gives a command as a person does. */
export function hilum(dataFolder: string, ...args: string[]): Promise<{ code: number; said: string }> {
  const program = [join(repository, 'tools', 'with-node.mjs'), join(repository, 'server', 'src', 'cli', 'hilum.ts')]
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('HILUM_') && name !== 'DATABASE_URL'),
  )
  return new Promise((done) => {
    execFile(
      process.execPath,
      [...program, ...args],
      { env: { ...env, HILUM_DATA: dataFolder } },
      (error, stdout, stderr) => done({ code: error ? Number(error.code) : 0, said: `${stdout}${stderr}` }),
    )
  })
}
