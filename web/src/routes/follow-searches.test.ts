import { createMemoryHistory } from '@tanstack/react-router'
import { afterEach, expect, test } from 'vitest'
import { clearSearchFilters, noFilters, setSearchFilters, useSearchFilters } from '../state/search-filters.ts'
import { asNewSearch, asTypedSearch, forgetSearches } from '../state/search-trail.ts'
import { followSearches } from './follow-searches.ts'

afterEach(() => {
  clearSearchFilters()
  forgetSearches()
})

const named = (patientName: string) => ({ ...noFilters, patientName })
const inForce = () => useSearchFilters.getState().patientName

test('Back undoes a search and Forward does it again, though the address stays the same', () => {
  const history = createMemoryHistory({ initialEntries: ['/group/list'] })
  const stop = followSearches(history)
  for (const name of ['doe', 'roe']) {
    setSearchFilters(named(name))
    history.push('/group/list', asNewSearch())
  }
  history.back()
  expect(inForce()).toBe('doe')
  history.back()
  expect(inForce()).toBe('')
  history.forward()
  expect(inForce()).toBe('doe')
  // A selection takes the place of the one before, with the search that is in force then.
  setSearchFilters(named('poe'))
  history.replace('/group/list?study=1')
  history.back()
  history.forward()
  expect(inForce()).toBe('poe')
  stop()
})

test('nothing of a search is in the history, and the end of the session forgets the searches', () => {
  const history = createMemoryHistory({ initialEntries: ['/group/list'] })
  const stop = followSearches(history)
  setSearchFilters(named('doe'))
  history.push('/group/list', asNewSearch())
  expect(JSON.stringify(history.location)).not.toContain('doe')
  setSearchFilters(named('roe'))
  history.push('/group/list', asNewSearch())
  forgetSearches()
  clearSearchFilters()
  history.back()
  expect(inForce()).toBe('')
  stop()
})

test('a search that is typed has one place in the history, however many letters it has', () => {
  const history = createMemoryHistory({ initialEntries: ['/group/list'] })
  const stop = followSearches(history)
  for (const letters of ['doe', 'doe j', 'doe ja']) {
    setSearchFilters(named(letters))
    const { state, replace } = asTypedSearch(history.location.state as object)
    history[replace ? 'replace' : 'push']('/group/list', state)
  }
  expect(history.length).toBe(2)
  history.back()
  expect(inForce()).toBe('')
  history.forward()
  expect(inForce()).toBe('doe ja')
  stop()
})

test('at a place from before the page was loaded the address says which filters were in force', () => {
  const history = createMemoryHistory({ initialEntries: ['/group/list?modality=CT', '/group/list?work=done', '/help'] })
  const stop = followSearches(history)
  history.back()
  expect(useSearchFilters.getState()).toEqual({ ...noFilters, work: 'done' })
  history.back()
  expect(useSearchFilters.getState()).toEqual({ ...noFilters, modalities: ['CT'] })
  history.forward()
  expect(useSearchFilters.getState()).toEqual({ ...noFilters, work: 'done' })
  stop()
})
