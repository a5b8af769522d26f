import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type HarmedServer, hostileLoads } from './hostile-loads.ts'

/** A thread of its own for the sender, so that its own work delays no clock of who waits, and behind all others: does harm until it is stopped. */
const { load, hilum } = workerData as { load: string; hilum: HarmedServer }
const harm = hostileLoads.find(({ name }) => name === load)?.prepare(hilum)
// a sender’s own work is done by another machine: what is measured is what it makes the server do
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)
if (!harm) throw new Error(`No hostile load is called ${load}`)
parentPort?.postMessage('begins')
for (;;) await harm()
