import { runCrashes } from './crash/crash-run.ts'
import { describeCrashes } from './crash/describe-crashes.ts'
import { Site } from './crash/site.ts'
import type { Outcome, ProofPart, Stage } from './proof.ts'

/** Kills the server at random moments while people send, download, delete and it purges. */
export const kills: ProofPart = {
  name: 'kills',
  title: 'Killed at random moments',
  method: `The server process is killed (SIGKILL) at a random moment while images come in by POST, STOW-RS and C-STORE over
seven connections, archives are downloaded, studies are deleted and, every twentieth time, it purges. After each start
every image acknowledged since the last one is read back and its SHA-256 compared, every study must list whole images
only and count them rightly, and downloads that were cut off must go on with the same bytes. At the end all of it is read
once more, orphans are swept, and \`npm run verify\` must find nothing.`,
  run: (stage) => runKills(stage, false),
}

/** The same with a second process over the same data, killed while the first goes on. */
export const killsOfPair: ProofPart = {
  name: 'kills-of-pair',
  title: 'One of two processes killed at random moments',
  method: `Two server processes serve one database and one store, each with the seven connections, downloads and deletions of
\`npm run proof -- kills\`. One of them is killed (SIGKILL) at a random moment and started again; the other may refuse
nothing and cut nothing meanwhile, and gives back every image that either acknowledged. The rest is as there.`,
  run: (stage) => runKills(stage, true),
}

async function runKills(stage: Stage, isPaired: boolean): Promise<Outcome> {
  const site = new Site(stage.folder)
  const minutes = stage.numberOf('HILUM_PROOF_MINUTES', 24 * 60)
  const report = await runCrashes(site, {
    crashes: stage.numberOf('HILUM_PROOF_KILLS', 1000),
    seed: stage.seed,
    purgeEvery: 20,
    deadline: Date.now() + minutes * 60_000,
    crash: ({ server }) => server.kill(),
    isPaired,
    say: stage.say,
  })
  return describeCrashes('Kills', site, report)
}
