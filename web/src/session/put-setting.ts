import { settingSet } from '@hilum/contract/calls/setting'
import { callApi } from '../api/call-api.ts'
import { putSession, readSession } from './session-store.ts'

/** Keeps a setting of the person on the server, and in force here from then on; only here while a supporter looks. */
export async function saveSetting(key: string, value: string): Promise<void> {
  const before = readSession()
  const isProxy = before.status === 'established' && before.session.proxyName !== undefined
  if (!isProxy) await callApi(settingSet, { key, value })
  const state = readSession()
  if (state.status !== 'established') return
  const { session } = state
  putSession({ status: 'established', session: { ...session, settings: { ...session.settings, [key]: value } } })
}
