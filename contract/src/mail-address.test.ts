import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMailable, readOneAddress, readAddresses, tidyAddresses } from './mail-address.ts'

const [anna, ben] = ['anna@example.org', 'ben.o@mail.example.org']

describe('addresses as people type them and mail programs copy them', () => {
  it.each([
    [`Anna Kern <${anna}>; Ben Ott <${ben}>`, [anna, ben]],
    [`Kern, Anna <${anna}>, Ott, Ben <${ben}>`, [anna, ben]],
    [`"Kern, Anna" <${anna}>,\n"Ott \\"Ben\\"" <${ben}>`, [anna, ben]],
    [`'${anna}' <${anna}>`, [anna]],
    [`${anna}<mailto:${anna}>`, [anna]],
    [`<${anna}>\r\n<${ben}>`, [anna, ben]],
    [`(${anna}) [${ben}]`, [anna, ben]],
    [`Anna Kern <${anna}> (Eastside)`, [anna]],
    [`Dr. Kern, Anna <${anna}>`, [anna]],
    [`${anna} ${ben}`, [anna, ben]],
    [`${anna},${anna.toUpperCase()};`, [anna]],
    [`\u202aMailto:${anna}\u202c`, [anna]],
    [' ;,\n', []],
  ])('reads %j', (typed, found) => {
    expect(readAddresses(typed)).toEqual(found)
  })

  it.each([
    [`Foo, ${anna}`, 'Foo'],
    [`${anna}; Foo`, 'Foo'],
    [`anna.example.org, Ben <${ben}>`, 'anna.example.org'],
    [`anna@example, Ben <${ben}>`, 'anna@example'],
    [`${anna} Ben <${ben}>`, `${anna} Ben <${ben}>`],
    [`"Anna <${anna}>`, `"Anna <${anna}>`],
    [`Anna <${anna}> Foo`, `Anna <${anna}> Foo`],
    ['Anna <anna@example>', 'anna@example'],
    ['Anna <>', ''],
  ])('names the part of %j that it cannot read', (typed, wrong) => {
    expect(readAddresses(typed).filter((one) => !isMailable(one))).toEqual([wrong])
    expect(tidyAddresses(typed)).toBe(typed)
  })

  const word = fc.stringMatching(/^[a-zA-Zà-ÿ'-]{1,8}$/)
  const address = fc
    .tuple(fc.stringMatching(/^[a-z0-9_+'.-]{1,9}$/), fc.stringMatching(/^[a-z0-9-]{1,9}$/))
    .map(([local, host]) => `${local}@${host}.example`)
    .filter((one) => !one.startsWith("'"))
  const written = fc
    .tuple(fc.array(word, { maxLength: 3 }), address, fc.nat(5))
    .map(([name, bare, way]) => ({ bare, text: writtenAs(name, bare, way) }))
  const separator = fc.constantFrom(', ', ',', ';', '; ', '\n', '\r\n', ' ;\n')

  it('finds each address once and in order, in whatever way it is written, and nothing else', () => {
    const finds = fc.property(fc.array(written, { maxLength: 8 }), separator, (list, between) => {
      const found = readAddresses(list.map(({ text }) => text).join(between))
      const isOnce = new Set(found).size === found.length
      return isOnce && found.join() === [...new Set(list.map(({ bare }) => bare))].join()
    })
    expect(fc.check(finds, { numRuns: 2000 }).counterexample).toBeNull()
  })

  it('reads its own answer as itself, and drops no word with an @ from any text', () => {
    const text = fc.string({
      unit: fc.constantFrom(...'ab@.,; <>()"\n\\\u200b', anna, ben, 'Anna Kern'),
      maxLength: 24,
    })
    const keeps = fc.property(text, (typed) => {
      const read = readAddresses(typed)
      if (!read.every(isMailable)) return true
      const named = typed.replaceAll('\u200b', '').match(/[\w.]+@[\w.]+\.\w+/g) ?? []
      return (
        readAddresses(tidyAddresses(typed)).join() === read.join() && named.every((one) => hasHeld(typed, read, one))
      )
    })
    expect(fc.check(keeps, { numRuns: 5000 }).counterexample).toBeNull()
  })

  it('takes one address as one, and leaves several, or none, to be refused', () => {
    expect(readOneAddress(` Anna Kern <${anna}> `)).toBe(anna)
    expect(readOneAddress(` ${anna}, ${ben}`)).toBe(`${anna}, ${ben}`)
    expect([`${anna}, ${ben}`, 'Anna', '', `<${anna}>`, `a:${anna}`, `${anna}\u200b`].map(isMailable)).not.toContain(
      true,
    )
  })

  it('answers soon, whatever is pasted', () => {
    const begun = performance.now()
    for (const one of ['"\\"', 'a<', '(', '")', 'a,', '<a@b.c>'])
      for (const many of [9_000, 2_000_000]) readAddresses(one.repeat(many / one.length))
    expect(performance.now() - begun).toBeLessThan(3000)
  })
})

/** A comment in round brackets and a quoted name may hold an address that no mail program would send to. */
function hasHeld(typed: string, read: readonly string[], address: string): boolean {
  return read.some((one) => one.toLowerCase().includes(address.toLowerCase())) || /[("]/.test(typed)
}

function writtenAs(name: readonly string[], bare: string, way: number): string {
  const [first, ...others] = name
  const plain = name.join(' ')
  if (way === 0 || first === undefined) return way % 2 ? `<${bare}>` : bare
  if (way === 1) return `${plain} <${bare}>`
  if (way === 2) return `"${first}, ${others.join(' ')}" <${bare}>`
  if (way === 3) return others.length > 0 ? `${first}, ${others.join(' ')} <${bare}>` : `${first} <mailto:${bare}>`
  return way === 4 ? `${plain} <${bare}> (${first}, at work)` : `(${bare})`
}
