/*
 * ROUTE-16: the Advanced link leaves a flag for the session, with which the way in leads past the inbox. The mode lies
 * with the values that logging out clears.
 */
const key = 'hilum.advanced'

/** Keeps whether the person chose the Advanced UI over the inbox. */
export function chooseAdvanced(isChosen: boolean): void {
  if (isChosen) sessionStorage.setItem(key, '1')
  else sessionStorage.removeItem(key)
}

/** Where somebody who is signed in begins. */
export function homePath(): '/worklist' | '/group/list' {
  return sessionStorage.getItem(key) === '1' ? '/worklist' : '/group/list'
}
