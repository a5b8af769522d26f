/** Doors that no route declares, by their address, and the reason. */
export const undeclaredDoors: readonly (readonly [address: RegExp, why: string])[] = [
  [/^\/api\/v3\/\*$/, 'the calls: each has a declaration of its own in contract/src/calls'],
  [/^(\/host\/:engine)?\/api\/v3\/storage\/\*$/, 'answers addresses of the storage API where nothing is'],
  [/^\/$/, 'the web app, where it is not built, says so; where it is, the server has a door for each of its files'],
]
