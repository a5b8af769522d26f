import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { type DoorRequest, namingDoors, requestOf } from '../../../test/door-samples.ts'
import { askDoor, makeDoorTarget } from '../../../test/door-target.ts'
import { makeOrganisation } from '../../../test/make-organisation.ts'
import { startTestApp } from '../../../test/test-app.ts'

/*
 * Every door that is no call, asked by somebody with all rights and with every parameter left out, doubled, empty, of
 * another type, too long: answered well or refused in words, and never as a failure of the server.
 */

const { app, services } = await startTestApp()
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
const organisation = await makeOrganisation(services.db)
const group = await organisation.addGroup()
const { sid } = await organisation.addPerson({ role: 'Administrator', groups: [group] })

const doors = namingDoors(app).filter(({ method, url }) => method !== 'HEAD' && !url.startsWith('/host/'))
const oddValues = ['', '☃ <b>"\'\\', '-1', '1e999', '[[{"a":', 'x'.repeat(6000)]

it.each(doors)('$method $url refuses odd requests in words', async (door) => {
  const target = await makeDoorTarget(origin, sid, group.namespaceUuid, newUid())
  const good = requestOf(door, target)
  const declared = [...Object.keys(door.declared?.query ?? {}), ...(door.declared?.isSearch ? ['PatientName'] : [])]
  const names = new Set([...declared, ...Object.keys(good.query ?? {})])
  const odd: { why: string; request: DoorRequest; more?: [string, string][] }[] = []
  for (const name of names) {
    const { [name]: _, ...others } = good.query ?? {}
    odd.push({ why: `without ${name}`, request: { ...good, query: others } })
    odd.push({
      why: `${name} twice`,
      request: good,
      more: [
        [name, '1'],
        [name, '☃'],
      ],
    })
    for (const value of oddValues)
      odd.push({ why: `${name}=${value.slice(0, 9)}`, request: { ...good, query: { ...others, [name]: value } } })
  }
  if (good.payload !== undefined) {
    const { payload: _, ...bare } = good
    odd.push({ why: 'without a body', request: bare })
    for (const payload of ['', '[', '{"reason":7}', '\u0000'.repeat(300), 'x'.repeat(6000)])
      odd.push({ why: `body ${payload.slice(0, 9)}`, request: { ...good, payload } })
    odd.push({ why: 'body of another type', request: { ...good, headers: { 'content-type': 'multipart/form-data' } } })
  }
  const steps = good.url.split('/')
  for (const [index, step] of steps.entries()) {
    if (!door.url.split('/')[index]?.match(/^[:*]/)) continue
    for (const value of ['%E2%98%83', '1'.repeat(300), '-1', '%2f', ','])
      odd.push({
        why: `${step} as ${value.slice(0, 9)}`,
        request: { ...good, url: steps.with(index, value).join('/') },
      })
  }
  odd.push({
    why: 'odd headers',
    request: { ...good, headers: { ...good.headers, accept: ';;q=x,', range: 'bytes=9-1,x' } },
  })
  const failures: string[] = []
  for (const { why, request, more } of odd) {
    const { statusCode, body } = await askDoor(origin, request, sid, more)
    const isInWords = /[a-z]{2,} [a-z]{2,}|"error_type":"[A-Z_]+"/i.test(body)
    if (statusCode >= 500 || (statusCode >= 400 && !isInWords))
      failures.push(`${why}: ${statusCode} ${body.slice(0, 120)}`)
  }
  expect(failures).toEqual([])
})

function newUid(): string {
  return `2.25.${randomInt(100_000_000, 999_999_999)}${randomInt(100_000_000, 999_999_999)}`
}
