import { foldText } from '../person-name.ts'
import { compareIdentities, type Identity, type IdentityVerdict } from '../identity.ts'
import { Draw, type Person } from './patient-people.ts'
import { careful, type HeldNumber, usual, writeDate, writeIdentity } from './patient-writing.ts'

/** Two identities of which is known, from how they were made, whether they are of one person. */
interface PatientPair {
  one: Identity
  other: Identity
}

interface PairKind {
  name: string
  isOnePerson: boolean
  make: (draw: Draw) => PatientPair
}

/** How often each verdict was given to pairs of one kind. */
export interface PairCounts extends Record<IdentityVerdict, number> {
  name: string
  isOnePerson: boolean
}

const north: string = 'NORTH'
const south: string = 'SOUTH'
const at = (issuer: string, number: string): HeldNumber => ({ number, issuer })

/** One person in two records; `change` may alter the second record. */
function onePerson(change: (draw: Draw, record: Identity, person: Person) => Identity = (_, record) => record) {
  return (draw: Draw): PatientPair => {
    const person = draw.person()
    const held = at(north, draw.number())
    const one = writeIdentity(draw, person, held, usual)
    return { one, other: change(draw, writeIdentity(draw, person, held, usual), person) }
  }
}

/** Two people in two records, under numbers of their own unless `numbers` says otherwise. */
function twoPeople(
  makeOther: (draw: Draw, person: Person) => Person,
  numbers: (draw: Draw, person: Person) => [HeldNumber | undefined, HeldNumber | undefined] = ownNumbers,
) {
  return (draw: Draw): PatientPair => {
    const person = draw.person()
    const other = makeOther(draw, person)
    const [held, othersNumber] = numbers(draw, person)
    return {
      one: writeIdentity(draw, person, held, usual),
      other: writeIdentity(draw, other, othersNumber, usual),
    }
  }
}

/** Numbers of one hospital, which gives none twice. */
function ownNumbers(draw: Draw): [HeldNumber, HeldNumber] {
  const number = draw.number()
  return [
    at(north, number),
    at(
      north,
      another(() => draw.number(), number),
    ),
  ]
}

/** Numbers of two hospitals, each counted from one: now and then the same number stands for two people. */
const numbersOfTwoHospitals = (draw: Draw): [HeldNumber, HeldNumber] => [
  at(north, draw.number()),
  at(south, draw.number()),
]

/** The number of the first person, written on the second one's images by mistake. */
function numberOfTheFirst(draw: Draw): [HeldNumber, HeldNumber] {
  const held = at(north, draw.number())
  return [held, held]
}

function another<T>(make: () => T, not: T): T {
  for (;;) {
    const made = make()
    if (made !== not) return made
  }
}

/** Brother or sister of the same day, under another given name; every second one of the same sex. */
function twinOf(draw: Draw, person: Person): Person {
  const sex = draw.chance(0.5) ? person.sex : draw.of(['M', 'F'] as const)
  for (;;) {
    const given = draw.given(person.culture, sex)
    if (foldText(given.latin) !== foldText(person.given.latin)) return { ...person, sex, given, middle: undefined }
  }
}

const strangerTo = (draw: Draw): Person => draw.person()
const namesake = (draw: Draw, person: Person): Person => ({ ...person, birth: draw.birth() })
const namesakeOfTheDay = (_: Draw, person: Person): Person => person

/** Other characters of the same sound and the same day, as Wang Wei (王伟) and Wang Wei (王威). */
function soundsAlike(draw: Draw, person: Person): Person {
  if (!person.given.native) return twinOf(draw, person)
  for (let tried = 0; tried < 200; tried += 1) {
    const given = draw.given(person.culture, person.sex)
    if (given.latin === person.given.latin && given.native !== person.given.native) return { ...person, given }
  }
  return twinOf(draw, person)
}

function childOf(draw: Draw, person: Person): Person {
  return { ...person, birth: { ...draw.birth(), year: person.birth.year + draw.between(18, 45) } }
}

const pairKinds: readonly PairKind[] = [
  { name: 'as written twice', isOnePerson: true, make: onePerson((_, record) => record) },
  {
    name: 'written twice by one careful system',
    isOnePerson: true,
    make: (draw) => {
      const [person, held] = [draw.person(), at(north, draw.number())]
      return { one: writeIdentity(draw, person, held, careful), other: writeIdentity(draw, person, held, careful) }
    },
  },
  {
    name: 'married since',
    isOnePerson: true,
    make: onePerson((draw, record, person) => ({
      ...record,
      patientName: `${draw.family(person.culture).latin}^${person.given.latin}`,
    })),
  },
  {
    name: 'day and month exchanged',
    isOnePerson: true,
    make: onePerson((_, record, { birth }) => ({
      ...record,
      patientBirthDate: writeDate(birth.day <= 12 ? { ...birth, month: birth.day, day: birth.month } : birth),
    })),
  },
  {
    name: 'one digit of the birth date mistyped',
    isOnePerson: true,
    make: onePerson((draw, record, { birth }) => ({
      ...record,
      patientBirthDate: writeDate({ ...birth, day: draw.between(1, 9) + 10 * Math.floor(birth.day / 10) }),
    })),
  },
  {
    name: 'leading zeros of the number lost',
    isOnePerson: true,
    make: onePerson((_, record) => ({ ...record, patientId: record.patientId.replace(/^0+/, '') })),
  },
  {
    name: 'number of another hospital',
    isOnePerson: true,
    make: onePerson((draw, record) => ({ ...record, patientId: draw.number(), patientIdIssuer: south })),
  },
  { name: 'no number', isOnePerson: true, make: onePerson((_, record) => ({ ...record, patientId: '' })) },
  { name: 'strangers', isOnePerson: false, make: twoPeople(strangerTo) },
  { name: 'strangers of two hospitals', isOnePerson: false, make: twoPeople(strangerTo, numbersOfTwoHospitals) },
  { name: 'twins', isOnePerson: false, make: twoPeople(twinOf) },
  { name: 'twins, one under the other’s number', isOnePerson: false, make: twoPeople(twinOf, numberOfTheFirst) },
  { name: 'namesakes', isOnePerson: false, make: twoPeople(namesake) },
  { name: 'namesakes born on one day', isOnePerson: false, make: twoPeople(namesakeOfTheDay) },
  {
    name: 'namesakes born on one day, two hospitals',
    isOnePerson: false,
    make: twoPeople(namesakeOfTheDay, numbersOfTwoHospitals),
  },
  { name: 'parent and child of one name', isOnePerson: false, make: twoPeople(childOf) },
  {
    name: 'parent and child, one under the other’s number',
    isOnePerson: false,
    make: twoPeople(childOf, numberOfTheFirst),
  },
  { name: 'other characters, one sound, one day', isOnePerson: false, make: twoPeople(soundsAlike) },
  {
    name: 'a stranger under the first one’s number',
    isOnePerson: false,
    make: twoPeople(strangerTo, numberOfTheFirst),
  },
  {
    name: 'numbers that differ by leading zeros',
    isOnePerson: false,
    make: twoPeople(namesakeOfTheDay, (draw) => {
      const number = draw.number().replace(/^0+/, '')
      return [at(north, number), at(north, `00${number}`)]
    }),
  },
]

/**
 * Compares generated pairs, the kinds in turns.
 * @param onWrong told of each pair of two people that was taken for one
 */
export function countVerdicts(
  seed: string,
  pairs: number,
  onWrong: (kind: string, pair: PatientPair) => void,
): PairCounts[] {
  const draw = new Draw(seed)
  const counts = pairKinds.map(({ name, isOnePerson }) => ({ name, isOnePerson, same: 0, likely: 0, different: 0 }))
  for (let made = 0; made < pairs; made += 1) {
    const index = made % pairKinds.length
    const [kind, count] = [pairKinds[index], counts[index]]
    if (!kind || !count) continue
    const pair = kind.make(draw)
    const { verdict } = compareIdentities(pair.one, pair.other)
    count[verdict] += 1
    if (verdict === 'same' && !kind.isOnePerson) onWrong(kind.name, pair)
  }
  return counts
}
