import { redirect } from '@tanstack/react-router'
import { isRefusal } from '../api/api-failure.ts'
import { fromAddress, hasFilters, toAddress } from '../queries/address-filters.ts'
import { goneSearch, linkedSearchQuery } from '../queries/saved-searches.ts'
import { queryClient } from '../queries/query-client.ts'
import { resumeSession } from '../session/establish-session.ts'
import { readSession, type Session } from '../session/session-store.ts'
import { placeToBegin } from '../session/place-to-begin.ts'
import { readSearchFilters, setSearchFilters } from '../state/search-filters.ts'
import { filterParameters, type ListSearch } from '../state/list-search.ts'

let resuming: Promise<void> | undefined

/** Waits until it is known whether a stored session still lives. */
export async function settleSession(): Promise<Session | undefined> {
  if (readSession().status === 'unknown') {
    resuming ??= resumeSession().finally(() => {
      resuming = undefined
    })
    await resuming
  }
  const state = readSession()
  return state.status === 'established' ? state.session : undefined
}

/** ROUTE-11: without a session the way leads to the login screen. */
export async function requireSession(): Promise<void> {
  if (!(await settleSession())) throw redirect({ to: '/', replace: true })
}

/** ROUTE-13: an account without the inbox has nothing to show here. */
export async function requireInbox(): Promise<void> {
  const session = await settleSession()
  if (session && session.account.settings['enable_inbox_view'] !== '1') throw redirect({ to: '/404', replace: true })
}

/** ROUTE-14, ROUTE-16: whoever is signed in goes on from here. */
export async function goOnFromLogin(): Promise<void> {
  const session = await settleSession()
  if (session) throw redirect({ href: placeToBegin(session), replace: true })
}

/**
 * Opens a copied link: puts the search that its number stands for in force, for this session and within the reader's
 * own rights, and goes on to the address without it. A search that could not be asked for, as without a network, stays
 * in the address: the screen says so and offers to try again.
 */
export async function openLinkedSearch({ search, location }: LinkedPlace): Promise<void> {
  const { filter } = search
  if (!filter || filter === goneSearch) return
  const found = await queryClient.ensureQueryData(linkedSearchQuery(filter)).catch((failure: unknown) => {
    return isRefusal(failure) ? null : undefined // gone, or never theirs; else nobody knows yet
  })
  if (found === undefined) return
  if (found) setSearchFilters(found)
  const query = new URLSearchParams(location.searchStr)
  if (found) query.delete('filter')
  else query.set('filter', goneSearch)
  const rest = query.toString()
  throw redirect({ href: `${location.pathname}${rest && '?'}${rest}`, replace: true })
}

/**
 * Makes the address and the search in force say the same. An address that names filters decides; one that names none is
 * given those in force, as on the way from group to group.
 */
export async function settleSearch(place: LinkedPlace): Promise<void> {
  await openLinkedSearch(place)
  const { search, location } = place
  const inForce = readSearchFilters()
  if (hasFilters(search)) {
    const filters = { ...inForce, ...fromAddress(search) }
    if (JSON.stringify(filters) !== JSON.stringify(inForce)) setSearchFilters(filters)
    return
  }
  const wanted = toAddress(inForce)
  if (!hasFilters(wanted) || search.filter) return
  const query = new URLSearchParams(location.searchStr)
  for (const name of filterParameters) if (wanted[name] !== undefined) query.set(name, wanted[name])
  throw redirect({ href: `${location.pathname}?${query.toString()}`, replace: true })
}

interface LinkedPlace {
  search: ListSearch
  location: { pathname: string; searchStr: string }
}

/**
 * ROUTE-09: the same address without /inbox. One slash stays: without one the address would lead back to itself, and two
 * would name another host.
 */
export function pastInbox(href: string): string {
  return href.replace(/^\/inbox\/*/, '/')
}
