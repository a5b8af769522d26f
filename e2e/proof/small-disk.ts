import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A part cannot be run on this machine; the message says what it needs. */
export class NotRunnable extends Error {
  override readonly name = 'NotRunnable'
}

const UNMOUNT_TRIES = 50

/** A file system of its own on a loop device, as small as wanted, that can be filled and cut off from power. Needs root. */
export class SmallDisk {
  readonly folder: string
  readonly #image: string
  #isMounted = false

  constructor(image: string, folder: string) {
    this.#image = image
    this.folder = folder
  }

  /** @throws NotRunnable */
  async make(megabytes: number): Promise<void> {
    if (process.getuid?.() !== 0) throw new NotRunnable('only root can mount a file system of its own')
    if (!existsSync('/dev/loop-control')) throw new NotRunnable('this machine has no loop devices')
    await writeFile(this.#image, '')
    await truncate(this.#image, megabytes * 1024 * 1024)
    // nothing kept back for root, who would else go on where PostgreSQL cannot
    run('mkfs.ext4', ['-q', '-F', '-m', '0', this.#image])
    await mkdir(this.folder, { recursive: true })
    this.mount()
  }

  mount(): void {
    run('mount', ['-o', 'loop', this.#image, this.folder])
    this.#isMounted = true
  }

  /** Takes every free byte. */
  async fill(): Promise<void> {
    const ballast = await open(join(this.folder, 'ballast'), 'a')
    try {
      for (const bytes of [1024 * 1024, 4096]) await writeUntilFull(ballast, Buffer.alloc(bytes))
      await ballast.sync().catch(() => undefined)
    } finally {
      await ballast.close()
    }
  }

  async free(): Promise<void> {
    await rm(join(this.folder, 'ballast'), { force: true })
  }

  /** Cuts the power: data not yet on the device is lost, and nothing more reaches it. */
  cut(): void {
    const script =
      'import fcntl,os,struct,sys;fcntl.ioctl(os.open(sys.argv[1],os.O_RDONLY),0x8004587D,struct.pack("I",2))'
    run('python3', ['-c', script, this.folder]) // EXT4_IOC_SHUTDOWN without flushing the journal
  }

  async unmount(): Promise<void> {
    if (!this.#isMounted) return
    for (let tries = 0; ; tries += 1) {
      const { status, stderr } = spawnSync('umount', [this.folder], { encoding: 'utf8' })
      if (status === 0) break
      if (tries === UNMOUNT_TRIES) throw new Error(`${this.folder} stays in use: ${stderr}`)
      await delay(100)
    }
    this.#isMounted = false
  }
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, bytes: Buffer): Promise<void> {
  for (;;) {
    try {
      await file.write(bytes)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (error) throw new NotRunnable(`${program} is not installed`)
  if (status !== 0) throw new NotRunnable(`${program} failed: ${stderr.trim()}`)
}
