import { expect, it } from 'vitest'
import { recordingDatabase } from '../../../test/recording-database.ts'
import { readConfig } from '../../config.ts'
import { mailAdministrators } from './mail-administrators.command.ts'

const config = readConfig({ DATABASE_URL: 'postgres://nowhere/none' })

/** The statements by which people would be mailed, of a warning that they were told of before or not. */
async function statementsOf({
  wasWarned,
  accountUuid,
}: {
  wasWarned: boolean
  accountUuid?: string
}): Promise<string[]> {
  const statements: string[] = []
  const db = recordingDatabase(async ({ text }) => {
    statements.push(text)
    return wasWarned && text.includes('installation_warning') ? [{}] : []
  })
  const write = () => ({ subject: '', text: '' }) as never
  await mailAdministrators({ db, config }, { warning: 'webhook 1', write, ...(accountUuid ? { accountUuid } : {}) })
  return statements
}

it('reads nobody of a warning that people were told of before', async () => {
  const statements = await statementsOf({ wasWarned: true })
  expect(statements.filter((one) => one.includes('account_user'))).toEqual([])
})

it('reads the people of one organisation alone where a warning is of that one', async () => {
  const read = async (accountUuid?: string) =>
    (await statementsOf({ wasWarned: false, ...(accountUuid ? { accountUuid } : {}) })).filter((one) =>
      one.includes('account_user'),
    )
  expect(await read('a0000000-0000-4000-8000-000000000000')).toEqual([expect.stringContaining('au.account_uuid = $1')])
  expect(await read()).toEqual([expect.not.stringContaining('au.account_uuid = $1')])
})
