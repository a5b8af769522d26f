import { colourPhotos } from './colour-photo.ts'
import { multiSeriesMr } from './multi-series-mr.ts'
import { phantomCt } from './phantom-ct.ts'
import type { SyntheticFile, SyntheticStudy } from './study.ts'
import { ultrasoundCine } from './ultrasound-cine.ts'

/** One study of the demo: what it says of itself, and its files when they are asked for. */
export type DemoStudy = { study: SyntheticStudy; files: () => Generator<SyntheticFile> }

const issuer = 'NORTHSIDE'

/**
 * The studies of the demo organisation: a chest CT and its smaller prior, a head MR of three series, an ultrasound
 * clip and colour photographs, of four made-up patients. The same seed gives the same bytes.
 */
export function demoStudies(seed = 'demo', uidRoot?: string): DemoStudy[] {
  const describe = (name: string, rest: Omit<SyntheticStudy, 'seed' | 'uidRoot' | 'folder'>): SyntheticStudy => ({
    seed: `${seed}/${name}`,
    uidRoot,
    folder: name,
    ...rest,
  })
  const zoe = { name: 'Müller^Zoë', id: 'NS-100234', issuer, birthDate: '19680312', sex: 'F' }
  const tarou = {
    name: 'Yamada^Tarou=山田^太郎=やまだ^たろう',
    id: 'NS-100871',
    issuer,
    birthDate: '19551102',
    sex: 'M',
  }
  const siobhan = { name: "O'Connor^Siobhán^Maeve", id: 'NS-101002', issuer, birthDate: '19830726', sex: 'F' }
  const anna = { name: 'van der Berg^Anna Maria', id: 'NS-101377', issuer, birthDate: '20010914', sex: 'F' }
  const referringPhysician = 'Okafor^Chidi^^Dr.'
  const chest = describe('chest-ct', {
    patient: zoe,
    date: '20260302',
    time: '094512',
    accessionNumber: 'A2026-0311',
    description: 'CT chest with contrast',
    referringPhysician,
  })
  const prior = describe('chest-ct-prior', {
    patient: zoe,
    date: '20250221',
    time: '141003',
    accessionNumber: 'A2025-0190',
    description: 'CT chest',
    referringPhysician,
  })
  const head = describe('head-mr', {
    patient: tarou,
    date: '20260304',
    time: '111845',
    accessionNumber: 'A2026-0327',
    description: 'MR head',
    referringPhysician,
  })
  const echo = describe('echo', {
    patient: siobhan,
    date: '20260305',
    time: '082230',
    accessionNumber: 'A2026-0335',
    description: 'Echocardiogram',
    referringPhysician,
  })
  const skin = describe('skin-photo', {
    patient: anna,
    date: '20260305',
    time: '153300',
    accessionNumber: '',
    description: 'Skin mark, left forearm',
    referringPhysician,
  })
  return [
    { study: chest, files: () => phantomCt(chest) },
    { study: prior, files: () => phantomCt(prior, 20) },
    { study: head, files: () => multiSeriesMr(head) },
    { study: echo, files: () => ultrasoundCine(echo) },
    { study: skin, files: () => colourPhotos(skin) },
  ]
}

/** Every file of the demo, made one after the other. */
export function* demoFiles(seed?: string, uidRoot?: string): Generator<SyntheticFile> {
  for (const { files } of demoStudies(seed, uidRoot)) yield* files()
}
