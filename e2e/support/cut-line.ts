import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A network between a browser and a server, that can be cut. */
export interface CutLine {
  /** `http://127.0.0.1:port`, which leads to the server. */
  address: string
  /** Bytes that the browser sent so far. */
  sentBytes: () => number
  /** Nothing passes any more, and nobody is told: as a cable that was pulled out further away. */
  silence: () => void
  /** Whatever is open breaks, and new connections are refused: as a router that restarts. */
  sever: () => void
  /** Everything passes again. */
  mend: () => void
  /** Connections since the silence pass, those of before stay silent for good: as a router that forgot them. */
  forget: () => void
  close: () => Promise<void>
}

/** Opens a line to a server at `http://host:port`. */
export async function openLine(target: string): Promise<CutLine> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  /** Connections that were opened in the silence. */
  const opened = new Set<Socket>()
  let state: 'open' | 'silent' | 'severed' = 'open'
  let sentBytes = 0
  const server = createServer((near) => {
    if (state === 'severed') return void near.destroy()
    const far = connect({ host: hostname, port: Number(port) })
    near.on('data', (chunk: Buffer) => (sentBytes += chunk.length))
    forward(near, far)
    forward(far, near)
  })

  function forward(from: Socket, to: Socket): void {
    sockets.add(from)
    from.on('data', (chunk: Buffer) => {
      if (to.write(chunk)) return
      from.pause()
      to.once('drain', () => state === 'open' && from.resume())
    })
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    // a line that breaks is what the tests are about
    from.on('error', () => from.destroy())
    if (state === 'silent') {
      from.pause()
      opened.add(from)
    }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sentBytes: () => sentBytes,
    silence: () => {
      state = 'silent'
      for (const one of sockets) one.pause()
    },
    sever: () => {
      state = 'severed'
      for (const one of sockets) one.destroy()
    },
    mend: () => {
      state = 'open'
      for (const one of sockets) one.resume()
    },
    forget: () => {
      state = 'open'
      for (const one of opened) one.resume()
    },
    close: async () => {
      for (const one of sockets) one.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
