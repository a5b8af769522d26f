import os from 'node:os'
import { parseArgs } from 'node:util'
import { passwordResetMinutes } from '@hilum/contract/limits'
import { foldLogin } from '@hilum/contract/fold-login'
import { leftWithout, listAdministered } from '../areas/account/member.sql.ts'
import { resetAddress } from '../areas/mail/public-address.ts'
import {
  addAdministrator,
  allowPasswords,
  changeDisabled,
  endAllSessions,
  makeResetToken,
  putFlags,
  resetTwoFactor,
  type Operator,
} from '../areas/user/operator-acts.command.ts'
import { listAdministratorPlaces, listUsersForOperator, type OperatorUser } from '../areas/user/operator.sql.ts'
import { type Config, readConfig } from '../config.ts'
import type { Db } from '../db/database.ts'
import { CommandError } from './command-error.ts'
import { assertPresentSchema, openInstallation } from './open-installation.ts'
import { say } from './say.ts'

const usage =
  'Use: hilum users, hilum users reset-link | reset-two-factor | end-sessions | disable | enable | system-administrator | supporter | no-system-flags <e-mail>, hilum users add-administrator <e-mail> [--account <name>] | allow-passwords [--account <name>]'

/** People who may sign in, and the way back in for those who cannot; without arguments lists everybody. */
export async function usersCommand(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { account: { type: 'string' }, first: { type: 'string' }, last: { type: 'string' } },
  })
  const [act = 'list', email, ...more] = positionals
  if (more.length > 0) throw new CommandError(usage)
  const config = readConfig()
  await using installation = await openInstallation(config)
  await assertPresentSchema(installation.db)
  const operator: Operator = { db: installation.db, machineUser: os.userInfo().username }
  if (act === 'list') await sayUsers(operator.db)
  else if (act === 'reset-link') await sayResetLink(operator, config, await findUser(operator.db, email))
  else if (act === 'reset-two-factor') {
    const user = await findUser(operator.db, email)
    const wasOn = await resetTwoFactor(operator, user)
    say(wasOn ? `${user.email} signs in with the password alone.` : `${user.email} has no second factor.`)
  } else if (act === 'end-sessions') {
    const user = await findUser(operator.db, email)
    await endAllSessions(operator, user)
    say(`${user.email} is signed out everywhere (${user.live_sessions} sessions).`)
  } else if (act === 'disable' || act === 'enable') {
    const user = await findUser(operator.db, email)
    const accounts = user.places.map((one) => one.account_uuid)
    const before = await listAdministered(operator.db, accounts)
    await changeDisabled(operator, user, act === 'disable')
    const left = leftWithout(before, await listAdministered(operator.db, accounts))
    say(act === 'disable' ? `${user.email} is signed out and cannot sign in.` : `${user.email} can sign in again.`)
    for (const { account } of user.places.filter((one) => left.includes(one.account_uuid)))
      say(`${account} has no administrator left who has signed in: hilum users add-administrator <e-mail>`)
  } else if (isFlagAct(act)) {
    const user = await findUser(operator.db, email)
    if (user.disabled && act !== 'no-system-flags')
      throw new CommandError(`${user.email} is disabled: hilum users enable ${user.email}`)
    await putFlags(operator, user, flagActs[act].flags)
    say(`${user.email} ${flagActs[act].said}.`)
  } else if (act === 'add-administrator') await addAdministratorOf(operator, config, email, values)
  else if (act === 'allow-passwords' && email === undefined) await allowPasswordsOf(operator, values.account)
  else throw new CommandError(usage)
  return 0
}

/** Flags above all organisations; the page "All organisations" gives and takes them, too. */
const flagActs = {
  'system-administrator': {
    flags: { sysadmin: true },
    said: 'makes organisations, and says who else looks after the installation',
  },
  supporter: { flags: { support: true }, said: 'signs in as people of organisations that let supporters in' },
  'no-system-flags': { flags: { sysadmin: false, support: false }, said: 'looks after the installation no more' },
} as const

function isFlagAct(act: string): act is keyof typeof flagActs {
  return Object.hasOwn(flagActs, act)
}

async function sayUsers(db: Db): Promise<void> {
  for (const { email, name, disabled, last_login: last, live_sessions: live, places } of await listUsersForOperator(
    db,
  )) {
    say(`${email}${name && `, ${name}`}${disabled ? ', DISABLED' : ''}`)
    for (const { account, role, disabled: isOut } of places)
      say(`    ${role} of ${account}${isOut ? ', disabled' : ''}`)
    say(
      `    ${last ? `last sign-in ${last} UTC` : 'never signed in'}, ${live} open ${live === 1 ? 'session' : 'sessions'}`,
    )
  }
}

async function sayResetLink(operator: Operator, config: Config, user: OperatorUser): Promise<void> {
  if (user.disabled) throw new CommandError(`${user.email} is disabled: hilum users enable ${user.email}`)
  const token = await makeResetToken(operator, user)
  say(`A new password for ${user.email} is chosen here, once, within ${passwordResetMinutes} minutes:`)
  say(resetAddress(config, { host: '', isHttps: false }, token))
}

async function addAdministratorOf(
  operator: Operator,
  config: Config,
  email: string | undefined,
  { account, first = '', last = '' }: { account?: string; first?: string; last?: string },
): Promise<void> {
  if (!email || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new CommandError('Name the e-mail address: hilum users add-administrator head@hospital.example')
  const known = (await listUsersForOperator(operator.db)).find((one) => isSame(one, email))
  const place = await findPlace(operator.db, account)
  const isThere = known?.places.some((one) => one.account_uuid === place.account_uuid)
  if (known?.is_unproven && known.places.length > 0 && !isThere)
    throw new CommandError(
      `${email} was entered by another organisation, and nobody has shown to read its mails: have the person use “Forgot password?” first, or hand over the link of hilum users reset-link ${email}.`,
    )
  const added = await addAdministrator(operator, place, { known, email, first, last })
  say(`${email} is an administrator of ${place.account}.`)
  if (known) return
  const user = (await listUsersForOperator(operator.db)).find(({ uuid }) => uuid === added.uuid)
  if (user) await sayResetLink(operator, config, user)
}

/** The way back in where the provider of identities is away and passwords are switched off. */
async function allowPasswordsOf(operator: Operator, account: string | undefined): Promise<void> {
  const place = await findPlace(operator.db, account)
  const wasOnly = await allowPasswords(operator, place.account_uuid)
  say(
    wasOnly
      ? `The people of ${place.account} may sign in by password again, beside the provider of identities.`
      : `The people of ${place.account} may sign in by password already.`,
  )
}

async function findPlace(db: Db, account: string | undefined) {
  const places = await listAdministratorPlaces(db)
  const found =
    account === undefined ? places : places.filter((one) => one.account.toLowerCase() === account.toLowerCase())
  const [place] = found
  const names = places.map((one) => `  ${one.account}`).join('\n')
  if (!place) throw new CommandError(`There is no account ${account ?? ''}. There are:\n${names}`)
  if (found.length > 1) throw new CommandError(`Say which account with --account "…":\n${names}`)
  return place
}

async function findUser(db: Db, email: string | undefined): Promise<OperatorUser> {
  if (!email) throw new CommandError(usage)
  const user = (await listUsersForOperator(db)).find((one) => isSame(one, email))
  if (!user) throw new CommandError(`There is no user ${email}. "hilum users" lists all.`)
  return user
}

function isSame(user: OperatorUser, email: string): boolean {
  return foldLogin(user.email) === foldLogin(email)
}
