import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../server/src/config.ts'
import { settings } from '../server/src/settings.ts'
import { listReleaseFiles } from './release/release-files.ts'
import { releaseVersion } from '@hilum/contract/release'

const root = path.resolve(import.meta.dirname, '..')
const read = (name: string) => readFileSync(path.join(root, 'docs', name), 'utf8').replace(/^\s*#.*$/gm, '')
const [container, compose, caddy] = [read('Containerfile'), read('compose.yaml'), read('Caddyfile')]
/** The block of one service, without the others. */
const serviceOf = (name: string) => new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(compose)?.[1] ?? ''

test('every setting of the container exists, and its values are taken', () => {
  const said = [...container.matchAll(/(HILUM_\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
  const given = [...serviceOf('hilum').matchAll(/^ {6}(\w+): (.+)/gm)]
    .map(([, name = '', value = '']) => [name, value] as const)
    .filter(([name]) => name in settings)
    .map(([name, value]) => [name, value.replace(/\$\{HILUM_NAME[^}]*\}/, 'example.org').replace(/\$\{\w+:-\}/, '')])
  expect(said.map(([name]) => name)).toContain('HILUM_DATA')
  expect(given.map(([name]) => name)).toContain('HILUM_TRUSTED_PROXIES')
  const environment = Object.fromEntries([...said, ...given.filter(([name]) => name !== 'DATABASE_URL')])
  expect(readConfig(environment)).toMatchObject({ dataFolder: '/var/lib/hilum', publicUrl: 'https://example.org' })
  const known = [...serviceOf('hilum').matchAll(/^ {6}(HILUM_\w+):/gm)].map(([, name = '']) => name)
  expect(known.filter((name) => !(name in settings))).toEqual([])
})

test('the container starts a program that a release holds, over the archive of this version', () => {
  const name = `hilum-${releaseVersion}-linux-x64`
  for (const file of [container, compose]) expect(file).toContain(name)
  const inside = listReleaseFiles(root).map(({ to }) => to)
  for (const file of ['docs/Containerfile', 'docs/compose.yaml', 'docs/Caddyfile', 'docs/nginx.conf'])
    expect(inside).toContain(file)
  expect(container).toContain('ENTRYPOINT ["/opt/hilum/hilum"]')
})

test('ports and addresses of the three containers fit each other', () => {
  const { http, https, dicom } = readConfig({})
  expect(container).toContain(`EXPOSE ${http.port} ${https.port} ${dicom.port}`)
  expect(serviceOf('proxy')).toContain(`hilum:${http.port}`)
  expect(caddy).toContain(`{$HILUM_UPSTREAM:127.0.0.1:${http.port}}`)
  const trusted = /HILUM_TRUSTED_PROXIES: (\S+)/.exec(compose)?.[1]
  expect(serviceOf('proxy')).toContain(`ipv4_address: ${trusted} `)
  expect(serviceOf('database')).not.toContain('ports:')
})
