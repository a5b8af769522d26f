import type { FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { bearerOf, readCookie, sidCookie, sidOfRequest } from './sid-of-request.ts'

interface Sent {
  query?: unknown
  authorization?: string
  cookie?: string
}
const request = ({ query, ...headers }: Sent) => ({ query, headers }) as unknown as FastifyRequest
const sidOf = (sent: Sent, cookieToo = true) => sidOfRequest(request(sent), { cookieToo })

it('is found in the query, then in the header, then in the cookie', () => {
  const all = { query: { sid: 'a' }, authorization: 'Bearer b', cookie: `${sidCookie}=c` }
  expect(sidOf(all)).toBe('a')
  expect(sidOf({ ...all, query: {} })).toBe('b')
  expect(sidOf({ cookie: all.cookie })).toBe('c')
  expect(sidOf({})).toBeUndefined()
})

it('is taken from a cookie for reading only', () => {
  expect(sidOf({ cookie: `${sidCookie}=c` }, false)).toBeUndefined()
  expect(sidOf({ authorization: 'Bearer b', cookie: `${sidCookie}=c` }, false)).toBe('b')
})

it('is the first of several in the query; an empty one counts as none', () => {
  expect(sidOf({ query: { sid: ['a', 'b'] } })).toBe('a')
  expect(sidOf({ query: { sid: '' }, authorization: 'Bearer b' })).toBe('b')
  expect(sidOf({ query: { sid: 7 } })).toBeUndefined()
})

it.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc', 'abc'],
  ['Bearerabc', undefined],
  ['Bearer abc def', undefined],
  ['Basic Bearer abc', undefined],
  ['', undefined],
])('reads the bearer token of %j as %j', (authorization, token) => {
  expect(bearerOf(request({ authorization }))).toBe(token)
})

it.each([
  ['a=1; hilum_sid=x', 'x'],
  ['hilum_sid = x ;b=2', 'x'],
  ['hilum_sid=x=y', 'x=y'],
  ['other_hilum_sid=x', undefined],
  ['hilum_sid', undefined],
  ['=hilum_sid', undefined],
  ['', undefined],
])('reads the cookie in %j as %j', (cookie, sid) => {
  expect(readCookie(request({ cookie }), 'hilum_sid')).toBe(sid)
})

it('takes no cookie without a name for one', () => {
  expect(readCookie(request({ cookie: '=x' }), '')).toBeUndefined()
  expect(readCookie(request({}), 'hilum_sid')).toBeUndefined()
})
