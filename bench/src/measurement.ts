import type { HilumServer } from './hilum-server.ts'
import type { OrthancServer } from './orthanc-server.ts'
import type { CtSet } from './ct-set.ts'

/** One measurement: what `npm run bench -- <name>` chooses, and a section of results.md. */
export type Measurement = {
  name: string
  title: string
  /** Left out of a run of all. */
  isOnlyByName?: boolean
  run: (stage: Stage) => Promise<Report>
}

/** Cells of a table, its first row the heads, and what a reader must know to judge them. */
export type Report = { table: readonly (readonly string[])[]; notes: readonly string[] }

/** Fixture of measurements: both servers running, a folder, and one CT study stored in both. */
export type Stage = {
  hilum: HilumServer
  orthanc: OrthancServer
  /** For what a measurement writes; removed at the end. */
  folder: string
  repeats: number
  /** The study of a thousand CT images, stored in both servers when it is first asked for. */
  storedCt: () => Promise<CtSet>
}

/** A measurement that starts what it needs by itself. */
export type LoneMeasurement = {
  name: string
  title: string
  needsOrthanc?: boolean
  /** @param folder its own, removed at the end */
  run: (folder: string) => Promise<Report>
}
