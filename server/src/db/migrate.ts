import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { nameRelease, thisRelease } from '../made-folder.ts'
import * as foundation from './migrations/0001-foundation.ts'
import * as mailTries from './migrations/0002-mail-tries.ts'
import * as tags from './migrations/0003-tags.ts'
import * as dicomAssociations from './migrations/0004-dicom-associations.ts'
import * as keeping from './migrations/0005-keeping.ts'
import * as savedSearches from './migrations/0006-saved-searches.ts'
import * as customFields from './migrations/0007-custom-fields.ts'
import * as orders from './migrations/0008-orders.ts'
import * as birthDates from './migrations/0009-birth-dates.ts'
import * as auditSeals from './migrations/0010-audit-seals.ts'
import * as searchShares from './migrations/0011-search-shares.ts'
import * as foldedNames from './migrations/0012-folded-names.ts'
import * as nameStatistics from './migrations/0013-name-statistics.ts'
import * as jobs from './migrations/0014-jobs.ts'
import * as sealedMails from './migrations/0015-sealed-mails.ts'
import * as foldedLogins from './migrations/0016-folded-logins.ts'
import * as generations from './migrations/0017-generations.ts'
import * as agreedTexts from './migrations/0018-agreed-texts.ts'
import * as sessionTokens from './migrations/0019-session-tokens.ts'
import * as sameContent from './migrations/0020-same-content.ts'
import * as imagesBySop from './migrations/0021-images-by-sop.ts'
import * as ordersOfGroups from './migrations/0022-orders-of-groups.ts'
import * as accessBell from './migrations/0023-access-bell.ts'
import * as associationWarnings from './migrations/0024-association-warnings.ts'
import * as accessRefusals from './migrations/0025-access-refusals.ts'
import * as bareDataSets from './migrations/0026-bare-data-sets.ts'
import * as sources from './migrations/0027-sources.ts'
import * as refusalsWithoutSession from './migrations/0028-refusals-without-session.ts'
import * as foldedIds from './migrations/0029-folded-ids.ts'
import * as work from './migrations/0030-work.ts'
import * as studyReady from './migrations/0031-study-ready.ts'
import * as hiddenStudies from './migrations/0032-hidden-studies.ts'
import * as keysOfPrograms from './migrations/0033-keys-of-programs.ts'
import * as linksAsCallers from './migrations/0034-links-as-callers.ts'
import * as sharing from './migrations/0037-sharing.ts'
import * as viewLinks from './migrations/0039-view-links.ts'
import * as approval from './migrations/0040-approval.ts'
import * as retraction from './migrations/0041-retraction.ts'
import * as connections from './migrations/0042-connections.ts'
import * as mailedLinks from './migrations/0043-mailed-links.ts'
import * as requests from './migrations/0044-requests.ts'
import * as places from './migrations/0046-places.ts'
import * as twoFactor from './migrations/0048-two-factor.ts'
import * as destinations from './migrations/0050-destinations.ts'
import * as retrieval from './migrations/0051-retrieval.ts'
import * as routingRules from './migrations/0052-routing-rules.ts'
import * as webhooks from './migrations/0053-webhooks.ts'
import * as pushes from './migrations/0054-pushes.ts'
import * as nominations from './migrations/0055-nominations.ts'
import * as gateFields from './migrations/0056-gate-fields.ts'
import * as auditOfActor from './migrations/0063-audit-of-actor.ts'
import * as shareCodeUploads from './migrations/0067-share-code-uploads.ts'
import * as ordersByHl7 from './migrations/0076-orders-by-hl7.ts'
import * as accountTexts from './migrations/0080-account-texts.ts'
import * as spelledNames from './migrations/0083-spelled-names.ts'
import * as diskWarnings from './migrations/0085-disk-warnings.ts'
import * as liveShares from './migrations/0088-live-shares.ts'
import * as secondPerson from './migrations/0090-second-person.ts'
import * as pushedVersion from './migrations/0091-pushed-version.ts'
import * as identityProviders from './migrations/0092-identity-providers.ts'
import * as holdingsOfPeople from './migrations/0093-holdings-of-people.ts'
import * as installationWarnings from './migrations/0095-installation-warnings.ts'
import * as linkCodes from './migrations/0098-link-codes.ts'
import * as namelessCopies from './migrations/0100-nameless-copies.ts'
import * as retentionLists from './migrations/0109-retention-lists.ts'
import * as datesFromTheOldest from './migrations/0111-dates-from-the-oldest.ts'
import * as storageCommitment from './migrations/0112-storage-commitment.ts'
import * as returnedMails from './migrations/0113-returned-mails.ts'
import * as supportSessions from './migrations/0114-support-sessions.ts'
import * as limitsOfPeople from './migrations/0115-limits-of-people.ts'
import * as separations from './migrations/0116-separations.ts'
import * as worklistsOfDestinations from './migrations/0121-worklists-of-destinations.ts'
import * as rejectionCodes from './migrations/0122-rejection-codes.ts'
import * as merges from './migrations/0130-merges.ts'
import * as reachableDestinations from './migrations/0131-reachable-destinations.ts'
import * as expectedExams from './migrations/0140-expected-exams.ts'
import * as bytesOfRequests from './migrations/0141-bytes-of-requests.ts'
import * as dismissedPushes from './migrations/0150-dismissed-pushes.ts'
import * as peopleByName from './migrations/0151-people-by-name.ts'
import * as sharesOfAccounts from './migrations/0170-shares-of-accounts.ts'
import * as closedAccounts from './migrations/0171-closed-accounts.ts'
import * as auditOfMrns from './migrations/0172-audit-of-mrns.ts'
import * as auditChecks from './migrations/0173-audit-checks.ts'
import * as rememberedDevices from './migrations/0174-remembered-devices.ts'
import * as secondFactorOfOnePerson from './migrations/0175-second-factor-of-one-person.ts'
import * as bellOfPeers from './migrations/0179-bell-of-peers.ts'
import * as nameOfDatabase from './migrations/0184-name-of-database.ts'
import * as rightsEpoch from './migrations/0185-rights-epoch.ts'
import * as originsOfCopies from './migrations/0187-origins-of-copies.ts'
import * as fieldsByShareCode from './migrations/0188-fields-by-share-code.ts'
import * as examsOfOrders from './migrations/0190-exams-of-orders.ts'
import * as waitingReports from './migrations/0191-waiting-reports.ts'
import * as listedPeople from './migrations/0193-listed-people.ts'
import * as deliveriesOfWebhooks from './migrations/0198-deliveries-of-webhooks.ts'
import * as reports from './migrations/0199-reports.ts'
import * as coveredRetractions from './migrations/0200-covered-retractions.ts'
import * as fieldsOfShares from './migrations/0201-fields-of-shares.ts'
import * as placesOfReports from './migrations/0202-places-of-reports.ts'
import * as patientOfPush from './migrations/0203-patient-of-push.ts'
import * as fieldsOfPeopleAndPlaces from './migrations/0204-fields-of-people-and-places.ts'
import * as providerAlone from './migrations/0205-provider-alone.ts'
import * as namesInOneIndex from './migrations/0206-names-in-one-index.ts'
import * as cancelledOrders from './migrations/0207-cancelled-orders.ts'
import * as givenReports from './migrations/0208-given-reports.ts'
import * as answeredActs from './migrations/0219-answered-acts.ts'
import * as peopleOfRoles from './migrations/0235-people-of-roles.ts'
import * as nodesGoAlone from './migrations/0240-nodes-go-alone.ts'
import * as untoldUploads from './migrations/0248-untold-uploads.ts'
import * as spelledNumbers from './migrations/0255-spelled-numbers.ts'
import * as numbersOfOthers from './migrations/0256-numbers-of-others.ts'
import * as spelledOrders from './migrations/0260-spelled-orders.ts'
import * as lateArrivals from './migrations/0263-late-arrivals.ts'
import * as mixedGiven from './migrations/0264-mixed-given.ts'
import * as accessionsOfImages from './migrations/0267-accessions-of-images.ts'
import * as foldedAccessions from './migrations/0268-folded-accessions.ts'
import * as reasonsOfPushes from './migrations/0270-reasons-of-pushes.ts'
import * as namesOfOwnPlaces from './migrations/0273-names-of-own-places.ts'
import * as rightOfAuditors from './migrations/0280-right-of-auditors.ts'
import * as provenAddresses from './migrations/0290-proven-addresses.ts'
import * as addressesOfResets from './migrations/0291-addresses-of-resets.ts'
import * as birthDatesOfSessions from './migrations/0292-birth-dates-of-sessions.ts'
import * as toldEnds from './migrations/0293-told-ends.ts'
import * as proxiesOfRefusals from './migrations/0298-proxies-of-refusals.ts'
import * as departures from './migrations/0302-departures.ts'
import * as deletedNominations from './migrations/0303-deleted-nominations.ts'
import * as whoseWord from './migrations/0304-whose-word.ts'
import * as peopleOfReasons from './migrations/0305-people-of-reasons.ts'
import * as accessionsOfMatches from './migrations/0306-accessions-of-matches.ts'
import * as runsAgain from './migrations/0307-runs-again.ts'
import * as askersOfRetrievals from './migrations/0308-askers-of-retrievals.ts'
import * as whatMailsAreOf from './migrations/0309-what-mails-are-of.ts'
import * as sharesOfRestored from './migrations/0310-shares-of-restored.ts'
import * as imagesOfUploads from './migrations/0311-images-of-uploads.ts'
import * as departuresUnderWay from './migrations/0314-departures-under-way.ts'
import * as peopleInEachOrder from './migrations/0318-people-in-each-order.ts'
import * as accountsOfCopies from './migrations/0319-accounts-of-copies.ts'
import * as dismissedRuns from './migrations/0325-dismissed-runs.ts'
import * as givenUpMails from './migrations/0330-given-up-mails.ts'
import * as abandonedMails from './migrations/0335-abandoned-mails.ts'
import * as warningsThatAreOver from './migrations/0336-warnings-that-are-over.ts'
import * as passwordsThatWait from './migrations/0337-passwords-that-wait.ts'
import * as mergesOfParts from './migrations/0340-merges-of-parts.ts'
import * as waitingNominations from './migrations/0350-waiting-nominations.ts'
import * as examsOfMovedPlaces from './migrations/0351-exams-of-moved-places.ts'
import * as imagesThatMayHaveLeft from './migrations/0354-images-that-may-have-left.ts'
import * as cancelledMails from './migrations/0357-cancelled-mails.ts'
import * as rolesOfMembers from './migrations/0362-roles-of-members.ts'
import * as ordersUnderAnMrn from './migrations/0363-orders-under-an-mrn.ts'
import * as questionsOfPushes from './migrations/0364-questions-of-pushes.ts'
import * as whatRunsWereAskedOf from './migrations/0368-what-runs-were-asked-of.ts'
import * as reasonsAfterAnUpgrade from './migrations/0373-reasons-after-an-upgrade.ts'
import * as correctionsOfSenders from './migrations/0376-corrections-of-senders.ts'
import * as patientsOfSendings from './migrations/0377-patients-of-sendings.ts'

/** Forward only, in the order of their names. */
const migrations: Record<string, Migration> = {
  '0001-foundation': foundation,
  '0002-mail-tries': mailTries,
  '0003-tags': tags,
  '0004-dicom-associations': dicomAssociations,
  '0005-keeping': keeping,
  '0006-saved-searches': savedSearches,
  '0007-custom-fields': customFields,
  '0008-orders': orders,
  '0009-birth-dates': birthDates,
  '0010-audit-seals': auditSeals,
  '0011-search-shares': searchShares,
  '0012-folded-names': foldedNames,
  '0013-name-statistics': nameStatistics,
  '0014-jobs': jobs,
  '0015-sealed-mails': sealedMails,
  '0016-folded-logins': foldedLogins,
  '0017-generations': generations,
  '0018-agreed-texts': agreedTexts,
  '0019-session-tokens': sessionTokens,
  '0020-same-content': sameContent,
  '0021-images-by-sop': imagesBySop,
  '0022-orders-of-groups': ordersOfGroups,
  '0023-access-bell': accessBell,
  '0024-association-warnings': associationWarnings,
  '0025-access-refusals': accessRefusals,
  '0026-bare-data-sets': bareDataSets,
  '0027-sources': sources,
  '0028-refusals-without-session': refusalsWithoutSession,
  '0029-folded-ids': foldedIds,
  '0030-work': work,
  '0031-study-ready': studyReady,
  '0032-hidden-studies': hiddenStudies,
  '0033-keys-of-programs': keysOfPrograms,
  '0034-links-as-callers': linksAsCallers,
  '0037-sharing': sharing,
  '0039-view-links': viewLinks,
  '0040-approval': approval,
  '0041-retraction': retraction,
  '0042-connections': connections,
  '0043-mailed-links': mailedLinks,
  '0044-requests': requests,
  '0046-places': places,
  '0048-two-factor': twoFactor,
  '0050-destinations': destinations,
  '0051-retrieval': retrieval,
  '0052-routing-rules': routingRules,
  '0053-webhooks': webhooks,
  '0054-pushes': pushes,
  '0055-nominations': nominations,
  '0056-gate-fields': gateFields,
  '0063-audit-of-actor': auditOfActor,
  '0067-share-code-uploads': shareCodeUploads,
  '0076-orders-by-hl7': ordersByHl7,
  '0080-account-texts': accountTexts,
  '0083-spelled-names': spelledNames,
  '0085-disk-warnings': diskWarnings,
  '0088-live-shares': liveShares,
  '0090-second-person': secondPerson,
  '0091-pushed-version': pushedVersion,
  '0092-identity-providers': identityProviders,
  '0093-holdings-of-people': holdingsOfPeople,
  '0095-installation-warnings': installationWarnings,
  '0098-link-codes': linkCodes,
  '0100-nameless-copies': namelessCopies,
  '0109-retention-lists': retentionLists,
  '0111-dates-from-the-oldest': datesFromTheOldest,
  '0112-storage-commitment': storageCommitment,
  '0113-returned-mails': returnedMails,
  '0114-support-sessions': supportSessions,
  '0115-limits-of-people': limitsOfPeople,
  '0116-separations': separations,
  '0121-worklists-of-destinations': worklistsOfDestinations,
  '0122-rejection-codes': rejectionCodes,
  '0130-merges': merges,
  '0131-reachable-destinations': reachableDestinations,
  '0140-expected-exams': expectedExams,
  '0141-bytes-of-requests': bytesOfRequests,
  '0150-dismissed-pushes': dismissedPushes,
  '0151-people-by-name': peopleByName,
  '0170-shares-of-accounts': sharesOfAccounts,
  '0171-closed-accounts': closedAccounts,
  '0172-audit-of-mrns': auditOfMrns,
  '0173-audit-checks': auditChecks,
  '0174-remembered-devices': rememberedDevices,
  '0175-second-factor-of-one-person': secondFactorOfOnePerson,
  '0179-bell-of-peers': bellOfPeers,
  '0184-name-of-database': nameOfDatabase,
  '0185-rights-epoch': rightsEpoch,
  '0187-origins-of-copies': originsOfCopies,
  '0188-fields-by-share-code': fieldsByShareCode,
  '0190-exams-of-orders': examsOfOrders,
  '0191-waiting-reports': waitingReports,
  '0193-listed-people': listedPeople,
  '0198-deliveries-of-webhooks': deliveriesOfWebhooks,
  '0199-reports': reports,
  '0200-covered-retractions': coveredRetractions,
  '0201-fields-of-shares': fieldsOfShares,
  '0202-places-of-reports': placesOfReports,
  '0203-patient-of-push': patientOfPush,
  '0204-fields-of-people-and-places': fieldsOfPeopleAndPlaces,
  '0205-provider-alone': providerAlone,
  '0206-names-in-one-index': namesInOneIndex,
  '0207-cancelled-orders': cancelledOrders,
  '0208-given-reports': givenReports,
  '0219-answered-acts': answeredActs,
  '0235-people-of-roles': peopleOfRoles,
  '0240-nodes-go-alone': nodesGoAlone,
  '0248-untold-uploads': untoldUploads,
  '0255-spelled-numbers': spelledNumbers,
  '0256-numbers-of-others': numbersOfOthers,
  '0260-spelled-orders': spelledOrders,
  '0263-late-arrivals': lateArrivals,
  '0264-mixed-given': mixedGiven,
  '0267-accessions-of-images': accessionsOfImages,
  '0268-folded-accessions': foldedAccessions,
  '0270-reasons-of-pushes': reasonsOfPushes,
  '0273-names-of-own-places': namesOfOwnPlaces,
  '0280-right-of-auditors': rightOfAuditors,
  '0290-proven-addresses': provenAddresses,
  '0291-addresses-of-resets': addressesOfResets,
  '0292-birth-dates-of-sessions': birthDatesOfSessions,
  '0293-told-ends': toldEnds,
  '0298-proxies-of-refusals': proxiesOfRefusals,
  '0302-departures': departures,
  '0303-deleted-nominations': deletedNominations,
  '0304-whose-word': whoseWord,
  '0305-people-of-reasons': peopleOfReasons,
  '0306-accessions-of-matches': accessionsOfMatches,
  '0307-runs-again': runsAgain,
  '0308-askers-of-retrievals': askersOfRetrievals,
  '0309-what-mails-are-of': whatMailsAreOf,
  '0310-shares-of-restored': sharesOfRestored,
  '0311-images-of-uploads': imagesOfUploads,
  '0314-departures-under-way': departuresUnderWay,
  '0318-people-in-each-order': peopleInEachOrder,
  '0319-accounts-of-copies': accountsOfCopies,
  '0325-dismissed-runs': dismissedRuns,
  '0330-given-up-mails': givenUpMails,
  '0335-abandoned-mails': abandonedMails,
  '0336-warnings-that-are-over': warningsThatAreOver,
  '0337-passwords-that-wait': passwordsThatWait,
  '0340-merges-of-parts': mergesOfParts,
  '0350-waiting-nominations': waitingNominations,
  '0351-exams-of-moved-places': examsOfMovedPlaces,
  '0354-images-that-may-have-left': imagesThatMayHaveLeft,
  '0357-cancelled-mails': cancelledMails,
  '0362-roles-of-members': rolesOfMembers,
  '0363-orders-under-an-mrn': ordersUnderAnMrn,
  '0364-questions-of-pushes': questionsOfPushes,
  '0368-what-runs-were-asked-of': whatRunsWereAskedOf,
  '0373-reasons-after-an-upgrade': reasonsAfterAnUpgrade,
  '0376-corrections-of-senders': correctionsOfSenders,
  '0377-patients-of-sendings': patientsOfSendings,
}

/** The steps in which this version of Hilum makes a database. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/**
 * Brings the database to the present schema; several servers may start it at once, one does it.
 * @throws Error in words when a newer release made the database, or another line of releases
 */
export async function migrateToLatest<Tables>(db: Kysely<Tables>): Promise<void> {
  await assertKnownSteps(db)
  const { error, results = [] } = await migratorOf(db).migrateToLatest()
  if (error) throw error
  if (results.length > 0) await noteRelease(db)
}

/** @throws Error in words when the database took steps that this release does not know */
export async function assertKnownSteps<Tables>(db: Kysely<Tables>): Promise<void> {
  const applied = await listAppliedMigrations(db)
  const unknown = applied.find((name, place) => migrationNames[place] !== name)
  if (unknown === undefined) return
  if (migrationNames.includes(unknown))
    throw new Error('The database was made by another line of Hilum: it grew in other steps than this one’s.')
  const maker = await findMaker(db)
  throw new Error(
    `The database was made by ${maker ?? 'a newer Hilum'}, this is Hilum ${nameRelease(thisRelease)} (which does not know ${unknown}): run that release, or restore an export of this one.`,
  )
}

/** The release that brought the database to its schema stands in the comment of the table of steps. */
async function noteRelease<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`comment on table kysely_migration is ${sql.lit(`Hilum ${nameRelease(thisRelease)}`)}`.execute(db)
}

async function findMaker<Tables>(db: Kysely<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ maker: string | null }>`
    select obj_description('kysely_migration'::regclass, 'pg_class') as maker
  `.execute(db)
  return rows[0]?.maker ?? undefined
}

/** Brings an empty database to an earlier schema. */
export async function migrateTo<Tables>(db: Kysely<Tables>, name: string): Promise<void> {
  const { error } = await migratorOf(db).migrateTo(name)
  if (error) throw error
}

/** The steps that a database has taken, also those that this version does not know; none in an empty one. */
export async function listAppliedMigrations<Tables>(db: Kysely<Tables>): Promise<string[]> {
  const { rows: found } = await sql<{
    name: string | null
  }>`select to_regclass('kysely_migration')::text as name`.execute(db)
  if (!found[0]?.name) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}

function migratorOf<Tables>(db: Kysely<Tables>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } })
}
