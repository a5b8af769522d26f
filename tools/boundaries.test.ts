import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findViolations } from './boundaries.ts'
import { importRules } from './import-rules.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'hilum-arrows-'))
  plant('contract/src/call.ts', 'export const call = 1')
  plant('dicom/src/uid.ts', 'export type Uid = string')
  plant('dicom/src/dimse/pdu.ts', 'export const pdu = 1')
})
afterEach(() => rmSync(root, { recursive: true }))

function plant(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}

/** Per rule: the file that breaks it, what it says, and the file that it must not know. */
const planted: Record<string, [from: string, text: string, to?: string]> = {
  'contract-knows-nobody': ['contract/src/a.ts', "import type { Uid } from '@hilum/dicom/uid'"],
  'contract-imports-zod-mini-only': ['contract/src/a.ts', "import { z } from 'zod'"],
  'dicom-knows-nobody': ['dicom/src/a.ts', "export * from '@hilum/contract/call'"],
  'web-never-server': ['web/src/a.ts', "const later = import('@hilum/dicom/dimse/pdu')"],
  'web-runs-in-browsers': ['web/src/a.tsx', "import fs from 'fs'"],
  'viewer-never-server': ['viewer/page/a.ts', "import '../../server/src/x.ts'", 'server/src/x.ts'],
  'server-never-screens': ['server/src/a.ts', "import { x } from '../../web/src/x.tsx'", 'web/src/x.tsx'],
  'areas-do-not-know-who-knocks': [
    'server/src/areas/a.ts',
    "import { x } from '../inbound/x.ts'",
    'server/src/inbound/x.ts',
  ],
  'outbound-knows-no-product': [
    'server/src/outbound/a.ts',
    "import { x } from '../areas/x.ts'",
    'server/src/areas/x.ts',
  ],
  'db-knows-nobody': ['server/src/db/a.ts', "type X = import('../access/x.ts').X", 'server/src/access/x.ts'],
  'only-sql-files-speak-sql': ['server/src/areas/a.command.ts', "import { sql } from 'kysely'"],
  'only-the-store-knows-paths': [
    'server/src/areas/a.command.ts',
    "import { openFileSource } from '@hilum/dicom/render/file-source'",
    'dicom/src/render/file-source.ts',
  ],
  'areas-open-no-files': ['server/src/areas/a.command.ts', "import type { FileHandle } from 'node:fs/promises'"],
  'sql-knows-no-rules': [
    'server/src/areas/a.sql.ts',
    "import { x } from './x.policy.ts'",
    'server/src/areas/x.policy.ts',
  ],
  'only-say-ready-asks-rules': [
    'server/src/areas/a.command.ts',
    "import { x } from './routing/put-to-rules.command.ts'",
    'server/src/areas/routing/put-to-rules.command.ts',
  ],
  'shared-by-areas-knows-no-area': [
    'server/src/areas/a.sql.ts',
    "import { x } from './study/x.ts'",
    'server/src/areas/study/x.ts',
  ],
  'only-the-list-imports-calls': [
    'server/src/areas/a.ts',
    "import { x } from './x.call.ts'",
    'server/src/areas/x.call.ts',
  ],
  'features-are-islands': [
    'web/src/features/tags/a.ts',
    "import { x } from '../upload/x.ts'",
    'web/src/features/upload/x.ts',
  ],
  'shared-parts-know-no-feature': [
    'web/src/api/a.ts',
    "import { x } from '../features/tags/x.ts'",
    'web/src/features/tags/x.ts',
  ],
  'features-know-no-screen': [
    'web/src/features/tags/a.ts',
    "import { x } from '../../screens/x.ts'",
    'web/src/screens/x.ts',
  ],
  'ui-knows-no-study': ['web/src/ui/a.ts', "import { x } from '../queries/x.ts'", 'web/src/queries/x.ts'],
}

describe('the import arrows', () => {
  it.each(importRules.map(({ name }) => name))('refuse a planted violation of %s', (name) => {
    expect(findViolations(root)).toEqual([])
    const [from, text, to] = planted[name] ?? ['', '']
    if (to !== undefined) plant(to, 'export const x = 1')
    plant(from, text)
    expect(findViolations(root).map(({ rule, from }) => ({ rule, from }))).toContainEqual({ rule: name, from })
  })

  it('refuse a circle, of types too, and name its files', () => {
    plant('dicom/src/a.ts', "import type { b } from './b.ts'; export type a = b")
    plant('dicom/src/b.ts', "import { c } from './c.ts'; export type b = typeof c")
    plant('dicom/src/c.ts', "import type { a } from './a.ts'; export const c = {} as a")
    expect(findViolations(root)).toEqual([
      { rule: 'no-circles', from: 'dicom/src/a.ts', to: 'dicom/src/b.ts → dicom/src/c.ts → dicom/src/a.ts' },
    ])
  })

  it('refuse a circle of areas, whose files have none, but for those of calls', () => {
    plant('server/src/areas/tag/a.ts', "import { b } from '../study/b.ts'; export const a = b")
    plant('server/src/areas/study/b.ts', 'export const b = 1')
    plant('server/src/areas/study/c.ts', "import type { a } from '../tag/a.ts'; export type C = typeof a")
    plant('server/src/areas/user/d.ts', 'export const d = 1')
    plant('server/src/areas/study/g.call.ts', "import type { d } from '../user/d.ts'; export type G = typeof d")
    plant('server/src/areas/job.ts', "import type { i } from './job/i.ts'; export type I = typeof i")
    plant('server/src/areas/job/i.ts', 'export const i = 1')
    plant('server/src/areas/user/h.ts', "import { b } from '../study/b.ts'; export const h = b")
    expect(findViolations(root)).toEqual([{ rule: 'no-circles-of-areas', from: 'study', to: 'tag → study' }])
  })

  it('refuse an import that leads nowhere, a worker’s address too', () => {
    plant('web/src/a.ts', "import './gone.ts'; new Worker(new URL('./lost.ts', import.meta.url))")
    expect(findViolations(root)).toEqual([
      { rule: 'leads-nowhere', from: 'web/src/a.ts', to: './gone.ts' },
      { rule: 'leads-nowhere', from: 'web/src/a.ts', to: './lost.ts' },
    ])
  })

  it('allow what the architecture wants', () => {
    plant('contract/src/a.ts', "import * as z from 'zod/mini'; import { call } from './call.ts'")
    plant('web/src/screens/a.tsx', "import '../features/tags/b.ts'; import { call } from '@hilum/contract/call'")
    plant('web/src/features/tags/b.ts', "import './c.ts'; import '../../ui/d.tsx'")
    plant('web/src/features/tags/c.ts', "import type { Uid } from '@hilum/dicom/uid'")
    plant('web/src/ui/d.tsx', 'export const D = () => <i />')
    plant('server/src/areas/handlers.ts', "import './e.call.ts'")
    plant('server/src/areas/e.call.ts', "import './e.sql.ts'; using handle = open()")
    plant('server/src/areas/e.sql.ts', "import pg from 'pg'")
    expect(findViolations(root)).toEqual([])
  })

  it('fail on a file that they cannot read', () => {
    plant('web/src/a.ts', 'const = ')
    expect(() => findViolations(root)).toThrow('web/src/a.ts cannot be parsed')
  })
})
