import { expect, it } from 'vitest'
import { addressOf, defineRoute } from './route.ts'
import { depth, flagParameter, flagOfDefault, readQuery, textParameter, uids, uuid } from './route-parameters.ts'
import { routes, routesByArea } from './routes/all-routes.ts'
import { pictureQuality, size } from './routes/storage-parameters.ts'

const report = defineRoute({
  methods: ['GET'],
  path: '/storage/:namespace/report/latest.:ending',
  summary: 'A report, for these tests.',
  on: { kind: 'study', may: 'viewStudy' },
  query: { phi_namespace: uuid('whose record'), page: textParameter('number of a page', '2') },
  answer: '200',
  errors: [],
})

it('an address has its names and parameters, each as addresses write them', () => {
  expect(addressOf(report, { namespace: 'a/b ?', ending: 'pdf' })).toBe('/storage/a%2Fb%20%3F/report/latest.pdf')
  expect(addressOf(report, { namespace: 'a', ending: 'x' }, { phi_namespace: 'ä&b', page: '2' })).toBe(
    '/storage/a/report/latest.x?phi_namespace=%C3%A4%26b&page=2',
  )
})

it('an address without one of its names does not compile', () => {
  // @ts-expect-error the ending is missing
  expect(addressOf(report, { namespace: 'a' })).toBe('/storage/a/report/latest.')
})

it('a path that ends in anything takes the rest of an address', () => {
  const rest = defineRoute({ ...report, path: '/frames/:namespace/*' })
  expect(addressOf(rest, { namespace: 'a', '*': '1,2/rendered' })).toBe('/frames/a/1,2/rendered')
})

it('a query is read into values, and one that cannot be read is refused in words', () => {
  const query = {
    extended: flagParameter('more'),
    overlays: flagOfDefault('0 leaves them out'),
    series_uid: uids('series'),
    depth: depth(8),
    ...size,
    ...pictureQuality,
  }
  expect(readQuery(query, {})).toEqual({
    values: { extended: false, overlays: true, series_uid: undefined, depth: 8, size: undefined, quality: 90 },
  })
  const sent = { extended: 'TRUE', overlays: '0', series_uid: '1.2,1.3', depth: '16', size: '40x30', quality: '0.5' }
  expect(readQuery(query, sent)).toEqual({
    values: {
      extended: true,
      overlays: false,
      series_uid: ['1.2', '1.3'],
      depth: 16,
      size: { width: 40, height: 30 },
      quality: 50,
    },
  })
  expect(readQuery(query, { size: 'large' })).toEqual({ refusal: 'The size must be an edge or WxH' })
  expect(readQuery(query, { quality: '2' })).toEqual({ refusal: 'The quality must lie between 0 and 1' })
})

it('no two routes share a name, nor a method at one path', () => {
  expect(Object.keys(routes)).toHaveLength(Object.values(routesByArea).flatMap((area) => Object.keys(area)).length)
  const doors = Object.values(routes).flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
  expect(doors).toHaveLength(new Set(doors).size)
})
