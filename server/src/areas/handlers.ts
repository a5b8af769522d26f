import type { CallName, Calls } from '@hilum/contract/calls/all-calls'
import * as accountConnectAccept from './account/connect-accept.call.ts'
import * as accountCanShare from './account/can-share.call.ts'
import * as accountCanShareList from './account/can-share-list.call.ts'
import * as accountCanShareStop from './account/can-share-stop.call.ts'
import * as accountConnectAsk from './account/connect-ask.call.ts'
import * as accountConnectDefaults from './account/connect-defaults.call.ts'
import * as accountConnectEnd from './account/connect-end.call.ts'
import * as accountConnectList from './account/connect-list.call.ts'
import * as accountGet from './account/get.call.ts'
import * as accountList from './account/list.call.ts'
import * as accountFirstSteps from './account/first-steps.call.ts'
import * as accountIssuers from './account/issuers.call.ts'
import * as accountNotices from './account/notices.call.ts'
import * as accountStuckDismiss from './account/stuck-dismiss.call.ts'
import * as accountStuckRetry from './account/stuck-retry.call.ts'
import * as accountStuck from './account/stuck.call.ts'
import * as accountTexts from './account/texts.call.ts'
import * as accountTextsSet from './account/texts-set.call.ts'
import * as accountTextsVersions from './account/texts-versions.call.ts'
import * as accountAdd from './account/add.call.ts'
import * as systemAccountAudit from './system/account-audit.call.ts'
import * as systemAccountClosed from './system/account-closed.call.ts'
import * as systemAccountList from './system/account-list.call.ts'
import * as systemAccountUsers from './system/account-users.call.ts'
import * as systemUserList from './system/user-list.call.ts'
import * as systemUserSet from './system/user-set.call.ts'
import * as sessionProxy from './session/proxy.call.ts'
import * as accountDelete from './account/delete.call.ts'
import * as accountSet from './account/set.call.ts'
import * as accountSettings from './account/settings.call.ts'
import * as accountSettingsValidate from './account/settings-validate.call.ts'
import * as accountUserAdd from './account/user-add.call.ts'
import * as accountUserDelete from './account/user-delete.call.ts'
import * as accountUserGet from './account/user-get.call.ts'
import * as accountUserHandOver from './account/user-hand-over.call.ts'
import * as accountUserHoldings from './account/user-holdings.call.ts'
import * as accountUserLeavers from './account/user-leavers.call.ts'
import * as accountUserList from './account/user-list.call.ts'
import * as accountUserSet from './account/user-set.call.ts'
import * as auditAccount from './audit/account.call.ts'
import * as auditDeleted from './audit/deleted.call.ts'
import * as auditUser from './audit/user.call.ts'
import * as auditCheck from './audit/check.call.ts'
import * as auditCheckGet from './audit/check-get.call.ts'
import * as accountUserReportLogin from './account/user-report-login.call.ts'
import * as auditPatient from './audit/patient.call.ts'
import * as reportStatus from './report/status.call.ts'
import * as roleReportDetail from './role/report-detail.call.ts'
import * as studyReportDetail from './study/report-detail.call.ts'
import * as auditRefused from './audit/refused.call.ts'
import * as auditObject from './audit/object.call.ts'
import * as customfieldList from './customfield/list.call.ts'
import * as customfieldGet from './customfield/get.call.ts'
import * as customfieldAdd from './customfield/add.call.ts'
import * as customfieldSet from './customfield/set.call.ts'
import * as customfieldDelete from './customfield/delete.call.ts'
import * as customfieldLookup from './customfield/lookup.call.ts'
import * as customfieldUsage from './customfield/usage.call.ts'
import * as filterList from './filter/list.call.ts'
import * as destinationAdd from './destination/add.call.ts'
import * as destinationDelete from './destination/delete.call.ts'
import * as destinationGet from './destination/get.call.ts'
import * as destinationList from './destination/list.call.ts'
import * as destinationRetrieve from './destination/retrieve.call.ts'
import * as destinationSearch from './destination/search.call.ts'
import * as destinationSearchGet from './destination/search-get.call.ts'
import * as destinationSet from './destination/set.call.ts'
import * as destinationTest from './destination/test.call.ts'
import * as filterAdd from './filter/add.call.ts'
import * as filterGet from './filter/get.call.ts'
import * as filterSet from './filter/set.call.ts'
import * as filterDelete from './filter/delete.call.ts'
import * as filterShare from './filter/share.call.ts'
import * as filterShareStop from './filter/share-stop.call.ts'
import * as filterShareList from './filter/share-list.call.ts'
import * as groupAdd from './group/add.call.ts'
import * as groupDelete from './group/delete.call.ts'
import * as groupGet from './group/get.call.ts'
import * as groupList from './group/list.call.ts'
import * as groupSet from './group/set.call.ts'
import * as groupUserAdd from './group/user-add.call.ts'
import * as groupUserDelete from './group/user-delete.call.ts'
import * as groupUserList from './group/user-list.call.ts'
import type { Handler } from './handler.ts'
import * as identityBegin from './identity/begin.call.ts'
import * as identityEnd from './identity/end.call.ts'
import * as identityFinish from './identity/finish.call.ts'
import * as identityLinkBegin from './identity/link-begin.call.ts'
import * as identityList from './identity/list.call.ts'
import * as identityOffer from './identity/offer.call.ts'
import * as identityProviderDelete from './identity/provider-delete.call.ts'
import * as identityProviderGet from './identity/provider-get.call.ts'
import * as identityProviderSet from './identity/provider-set.call.ts'
import * as identityProviderTest from './identity/provider-test.call.ts'
import * as jobCancel from './job/cancel.call.ts'
import * as jobGet from './job/get.call.ts'
import * as jobList from './job/list.call.ts'
import * as jobRetry from './job/retry.call.ts'
import * as linkAdd from './link/add.call.ts'
import * as linkList from './link/list.call.ts'
import * as linkGet from './link/get.call.ts'
import * as linkPriors from './link/priors.call.ts'
import * as linkSet from './link/set.call.ts'
import * as linkMail from './link/mail.call.ts'
import * as linkDelete from './link/delete.call.ts'
import * as linkStatus from './link/status.call.ts'
import * as linkPinSend from './link/pin-send.call.ts'
import * as linkSession from './link/session.call.ts'
import * as linkBrand from './link/brand.call.ts'
import * as linkStudies from './link/studies.call.ts'
import * as linkRequest from './link/request.call.ts'
import * as linkUploadBegin from './link/upload-begin.call.ts'
import * as linkUploadCheck from './link/upload-check.call.ts'
import * as linkUploadEnd from './link/upload-end.call.ts'
import * as locationAdd from './location/add.call.ts'
import * as locationList from './location/list.call.ts'
import * as mailCancel from './mail/cancel.call.ts'
import * as mailOutbox from './mail/outbox.call.ts'
import * as mailRetry from './mail/retry.call.ts'
import * as mailTest from './mail/test.call.ts'
import * as namespaceEngineFqdn from './namespace/engine-fqdn.call.ts'
import * as namespaceSettings from './namespace/settings.call.ts'
import * as namespaceShareCode from './namespace/share-code.call.ts'
import * as namespaceShareCodeOpen from './namespace/share-code-open.call.ts'
import * as nodeAdd from './node/add.call.ts'
import * as nodeCalled from './node/called.call.ts'
import * as nodeDelete from './node/delete.call.ts'
import * as nodeGet from './node/get.call.ts'
import * as nodeList from './node/list.call.ts'
import * as nodeSet from './node/set.call.ts'
import * as orderAdd from './order/add.call.ts'
import * as orderCancel from './order/cancel.call.ts'
import * as orderDelete from './order/delete.call.ts'
import * as orderGet from './order/get.call.ts'
import * as orderHistory from './order/history.call.ts'
import * as orderList from './order/list.call.ts'
import * as orderSet from './order/set.call.ts'
import * as outsideEnd from './outside/end.call.ts'
import * as outsideList from './outside/list.call.ts'
import * as retentionBin from './retention/bin.call.ts'
import * as retentionDate from './retention/date.call.ts'
import * as retentionGet from './retention/get.call.ts'
import * as retentionHold from './retention/hold.call.ts'
import * as retentionKept from './retention/kept.call.ts'
import * as retentionPatient from './retention/patient.call.ts'
import * as retentionPurged from './retention/purged.call.ts'
import * as retentionRelease from './retention/release.call.ts'
import * as retentionSet from './retention/set.call.ts'
import * as orderTake from './order/take.call.ts'
import * as orderReportAttach from './order/report-attach.call.ts'
import * as orderReportDelete from './order/report-delete.call.ts'
import * as orderReportGet from './order/report-get.call.ts'
import * as orderReportList from './order/report-list.call.ts'
import * as orderSpsFind from './order/sps-find.call.ts'
import * as orderSpsAdd from './order/sps-add.call.ts'
import * as orderSpsDelete from './order/sps-delete.call.ts'
import * as orderSpsSet from './order/sps-set.call.ts'
import * as orderSpsStatus from './order/sps-status.call.ts'
import * as roleAdd from './role/add.call.ts'
import * as roleDefaultPermissions from './role/default-permissions.call.ts'
import * as roleDelete from './role/delete.call.ts'
import * as roleGet from './role/get.call.ts'
import * as roleList from './role/list.call.ts'
import * as roleSet from './role/set.call.ts'
import * as roleSettings from './role/settings.call.ts'
import * as roleUserList from './role/user-list.call.ts'
import * as sessionDerive from './session/derive.call.ts'
import * as sessionEnd from './session/end.call.ts'
import * as sessionList from './session/list.call.ts'
import * as sessionKeyAdd from './session/key-add.call.ts'
import * as sessionKeyEnd from './session/key-end.call.ts'
import * as sessionKeyList from './session/key-list.call.ts'
import * as sessionLogin from './session/login.call.ts'
import * as sessionLogout from './session/logout.call.ts'
import * as sessionOauthToken from './session/oauth-token.call.ts'
import * as sessionPermissions from './session/permissions.call.ts'
import * as sessionPin from './session/pin.call.ts'
import * as sessionDeviceForget from './session/device-forget.call.ts'
import * as sessionDeviceList from './session/device-list.call.ts'
import * as sessionPinBegin from './session/pin-begin.call.ts'
import * as sessionPinConfirm from './session/pin-confirm.call.ts'
import * as sessionPinState from './session/pin-state.call.ts'
import * as sessionPinCodes from './session/pin-codes.call.ts'
import * as sessionPinRemove from './session/pin-remove.call.ts'
import * as sessionProve from './session/prove.call.ts'
import * as sessionToken from './session/token.call.ts'
import * as sessionTtl from './session/ttl.call.ts'
import * as sessionUser from './session/user.call.ts'
import * as sessionUuid from './session/uuid.call.ts'
import * as settingGetAll from './setting/get-all.call.ts'
import * as settingGet from './setting/get.call.ts'
import * as settingSet from './setting/set.call.ts'
import * as studyAdd from './study/add.call.ts'
import * as studyCount from './study/count.call.ts'
import * as studyGet from './study/get.call.ts'
import * as studyList from './study/list.call.ts'
import * as studyLock from './study/lock.call.ts'
import * as studySet from './study/set.call.ts'
import * as studySync from './study/sync.call.ts'
import * as studyUnlock from './study/unlock.call.ts'
import * as studyUploadCheck from './study/upload-check.call.ts'
import * as studyStar from './study/star.call.ts'
import * as studyDelete from './study/delete.call.ts'
import * as studyDeletePeople from './study/delete-people.call.ts'
import * as studyRevive from './study/revive.call.ts'
import * as studyApprove from './study/approve.call.ts'
import * as studyReject from './study/reject.call.ts'
import * as studyRetract from './study/retract.call.ts'
import * as studyUploadRetracted from './study/upload-retracted.call.ts'
import * as studyDuplicate from './study/duplicate.call.ts'
import * as studyDeidentifyAdd from './study/deidentify-add.call.ts'
import * as studyDeidentifyKey from './study/deidentify-key.call.ts'
import * as studyDeidentifyList from './study/deidentify-list.call.ts'
import * as studyDeidentifyPreview from './study/deidentify-preview.call.ts'
import * as studyShareAccess from './study/share-access.call.ts'
import * as studyShareList from './study/share-list.call.ts'
import * as studyShareExtend from './study/share-extend.call.ts'
import * as studyShareStop from './study/share-stop.call.ts'
import * as studyShareTrack from './study/share-track.call.ts'
import * as studyShareWho from './study/share-who.call.ts'
import * as studyShare from './study/share.call.ts'
import * as studyAudit from './study/audit.call.ts'
import * as studyTimingEvent from './study/timing-event.call.ts'
import * as studyTimingLog from './study/timing-log.call.ts'
import * as studyManualRoute from './study/manual-route.call.ts'
import * as studyConflicts from './study/conflicts.call.ts'
import * as studyConflictSettle from './study/conflict-settle.call.ts'
import * as studyPush from './study/push.call.ts'
import * as studyPushConfirm from './study/push-confirm.call.ts'
import * as studyNominateForm from './study/nominate-form.call.ts'
import * as studyRelated from './study/related.call.ts'
import * as studyEditLimits from './study/edit-limits.call.ts'
import * as studyElsewhere from './study/elsewhere.call.ts'
import * as studyMrnHolders from './study/mrn-holders.call.ts'
import * as studyPatients from './study/patients.call.ts'
import * as studyRequests from './study/requests.call.ts'
import * as studyMerge from './study/merge.call.ts'
import * as studyMergePreview from './study/merge-preview.call.ts'
import * as studySplit from './study/split.call.ts'
import * as studySplitList from './study/split-list.call.ts'
import * as studySplitPreview from './study/split-preview.call.ts'
import * as studySplitUndo from './study/split-undo.call.ts'
import * as studyUploadPeople from './study/upload-people.call.ts'
import * as tagList from './tag/list.call.ts'
import * as tagAdd from './tag/add.call.ts'
import * as tagDelete from './tag/delete.call.ts'
import * as userGet from './user/get.call.ts'
import * as userAdd from './user/add.call.ts'
import * as userDelete from './user/delete.call.ts'
import * as userDeviceClear from './user/device-clear.call.ts'
import * as userInvite from './user/invite.call.ts'
import * as userWelcome from './user/welcome.call.ts'
import * as userEnable from './user/enable.call.ts'
import * as userEventSet from './user/event-set.call.ts'
import * as userEvent from './user/event.call.ts'
import * as userNamespaceList from './user/namespace-list.call.ts'
import * as userPasswordLost from './user/password-lost.call.ts'
import * as userPasswordReset from './user/password-reset.call.ts'
import * as userPasswordResetCheck from './user/password-reset-check.call.ts'
import * as userPinReset from './user/pin-reset.call.ts'
import * as userSet from './user/set.call.ts'
import * as routeAdd from './route/add.call.ts'
import * as routeDelete from './route/delete.call.ts'
import * as routeGet from './route/get.call.ts'
import * as routeList from './route/list.call.ts'
import * as routeMove from './route/move.call.ts'
import * as routeRunAgain from './route/run-again.call.ts'
import * as routeRunsAgain from './route/runs-again.call.ts'
import * as routeRuns from './route/runs.call.ts'
import * as routeSet from './route/set.call.ts'
import * as routeTargets from './route/targets.call.ts'
import * as routeTest from './route/test.call.ts'
import * as webhookAdd from './webhook/add.call.ts'
import * as webhookDelete from './webhook/delete.call.ts'
import * as webhookDeliveries from './webhook/deliveries.call.ts'
import * as webhookEvent from './webhook/event.call.ts'
import * as webhookGet from './webhook/get.call.ts'
import * as webhookList from './webhook/list.call.ts'
import * as webhookRetry from './webhook/retry.call.ts'
import * as webhookSet from './webhook/set.call.ts'
import * as webhookTest from './webhook/test.call.ts'
import * as webhookTrigger from './webhook/trigger.call.ts'

/** Every call's handler. A call without one, or one of another call, does not compile. */
export const handlers: { [Name in CallName]: Handler<Calls[Name]> } = {
  sessionLogin: sessionLogin.login,
  sessionOauthToken: sessionOauthToken.oauthToken,
  sessionKeyAdd: sessionKeyAdd.keyAdd,
  sessionKeyList: sessionKeyList.keyList,
  sessionKeyEnd: sessionKeyEnd.keyEnd,
  sessionToken: sessionToken.token,
  sessionUser: sessionUser.user,
  sessionPermissions: sessionPermissions.permissions,
  sessionTtl: sessionTtl.ttl,
  sessionLogout: sessionLogout.logout,
  sessionUuid: sessionUuid.uuid,
  sessionDerive: sessionDerive.derive,
  sessionList: sessionList.list,
  sessionEnd: sessionEnd.end,
  sessionPin: sessionPin.pin,
  sessionDeviceList: sessionDeviceList.deviceList,
  sessionDeviceForget: sessionDeviceForget.deviceForget,
  sessionPinBegin: sessionPinBegin.pinBegin,
  sessionPinConfirm: sessionPinConfirm.pinConfirm,
  sessionPinState: sessionPinState.pinState,
  sessionPinCodes: sessionPinCodes.pinCodes,
  sessionPinRemove: sessionPinRemove.pinRemove,
  sessionProve: sessionProve.prove,
  userPinReset: userPinReset.pinReset,
  userGet: userGet.get,
  userSet: userSet.set,
  userPasswordLost: userPasswordLost.passwordLost,
  userPasswordReset: userPasswordReset.passwordReset,
  userPasswordResetCheck: userPasswordResetCheck.passwordResetCheck,
  userEnable: userEnable.enable,
  userAdd: userAdd.add,
  userInvite: userInvite.inviteByEmail,
  userWelcome: userWelcome.welcome,
  userDelete: userDelete.deleteSelf,
  userDeviceClear: userDeviceClear.deviceClear,
  userEvent: userEvent.event,
  userEventSet: userEventSet.eventSet,
  userNamespaceList: userNamespaceList.namespaceList,
  accountList: accountList.list,
  accountAdd: accountAdd.add,
  systemAccountList: systemAccountList.accountList,
  systemAccountClosed: systemAccountClosed.accountClosed,
  systemAccountAudit: systemAccountAudit.accountAudit,
  systemAccountUsers: systemAccountUsers.accountUsers,
  systemUserList: systemUserList.userList,
  systemUserSet: systemUserSet.userSet,
  sessionProxy: sessionProxy.proxy,
  accountSet: accountSet.set,
  accountDelete: accountDelete.remove,
  accountSettings: accountSettings.settings,
  accountSettingsValidate: accountSettingsValidate.settingsValidate,
  accountGet: accountGet.get,
  accountNotices: accountNotices.notices,
  accountStuck: accountStuck.stuck,
  accountStuckRetry: accountStuckRetry.stuckRetry,
  accountStuckDismiss: accountStuckDismiss.stuckDismiss,
  accountFirstSteps: accountFirstSteps.firstSteps,
  accountIssuers: accountIssuers.issuers,
  accountTexts: accountTexts.texts,
  accountTextsSet: accountTextsSet.setText,
  accountTextsVersions: accountTextsVersions.versions,
  accountConnectList: accountConnectList.connectList,
  accountCanShare: accountCanShare.canShare,
  accountCanShareStop: accountCanShareStop.canShareStop,
  accountCanShareList: accountCanShareList.canShareList,
  accountConnectAsk: accountConnectAsk.connectAsk,
  accountConnectAccept: accountConnectAccept.connectAccept,
  accountConnectEnd: accountConnectEnd.connectEnd,
  accountConnectDefaults: accountConnectDefaults.connectDefaults,
  accountUserHoldings: accountUserHoldings.userHoldings,
  accountUserLeavers: accountUserLeavers.userLeavers,
  accountUserHandOver: accountUserHandOver.userHandOver,
  accountUserList: accountUserList.userList,
  accountUserGet: accountUserGet.userGet,
  accountUserAdd: accountUserAdd.userAdd,
  accountUserSet: accountUserSet.userSet,
  accountUserDelete: accountUserDelete.userDelete,
  roleList: roleList.list,
  roleGet: roleGet.get,
  roleAdd: roleAdd.add,
  roleSet: roleSet.set,
  roleSettings: roleSettings.settings,
  roleDelete: roleDelete.remove,
  roleUserList: roleUserList.userList,
  roleDefaultPermissions: roleDefaultPermissions.defaultPermissions,
  groupList: groupList.list,
  groupGet: groupGet.get,
  groupAdd: groupAdd.add,
  groupSet: groupSet.set,
  groupDelete: groupDelete.remove,
  groupUserList: groupUserList.userList,
  groupUserAdd: groupUserAdd.userAdd,
  groupUserDelete: groupUserDelete.userDelete,
  // acts on one place are the same for both kinds; `on` names the kind
  locationList: locationList.list,
  locationGet: groupGet.get,
  locationAdd: locationAdd.add,
  locationSet: groupSet.set,
  locationDelete: groupDelete.remove,
  locationUserList: groupUserList.userList,
  locationUserAdd: groupUserAdd.userAdd,
  locationUserDelete: groupUserDelete.userDelete,
  namespaceSettings: namespaceSettings.settings,
  namespaceShareCode: namespaceShareCode.shareCode,
  namespaceShareCodeOpen: namespaceShareCodeOpen.open,
  namespaceEngineFqdn: namespaceEngineFqdn.engineFqdn,
  settingGet: settingGet.get,
  settingSet: settingSet.set,
  settingGetAll: settingGetAll.getAll,
  studyList: studyList.list,
  studyCount: studyCount.count,
  studyGet: studyGet.get,
  studyAdd: studyAdd.add,
  studySet: studySet.set,
  studySync: studySync.sync,
  studyUploadCheck: studyUploadCheck.uploadCheck,
  studyLock: studyLock.lock,
  studyUnlock: studyUnlock.unlock,
  studyStar: studyStar.star,
  studyDelete: studyDelete.remove,
  studyDeletePeople: studyDeletePeople.deletePeople,
  studyRevive: studyRevive.revive,
  studyApprove: studyApprove.approve,
  studyReject: studyReject.reject,
  studyRetract: studyRetract.retract,
  studyUploadRetracted: studyUploadRetracted.uploadRetracted,
  studyDuplicate: studyDuplicate.duplicate,
  studyDeidentifyPreview: studyDeidentifyPreview.deidentifyPreview,
  studyDeidentifyAdd: studyDeidentifyAdd.deidentifyAdd,
  studyDeidentifyList: studyDeidentifyList.deidentifyList,
  studyDeidentifyKey: studyDeidentifyKey.deidentifyKey,
  studyShare: studyShare.share,
  studyShareStop: studyShareStop.shareStop,
  studyShareExtend: studyShareExtend.shareExtend,
  outsideList: outsideList.list,
  outsideEnd: outsideEnd.end,
  retentionGet: retentionGet.get,
  retentionSet: retentionSet.set,
  retentionKept: retentionKept.kept,
  retentionBin: retentionBin.bin,
  retentionPurged: retentionPurged.purged,
  retentionPatient: retentionPatient.patient,
  retentionHold: retentionHold.hold,
  retentionRelease: retentionRelease.release,
  retentionDate: retentionDate.date,
  studyShareList: studyShareList.shareList,
  studyShareWho: studyShareWho.shareWho,
  studyShareAccess: studyShareAccess.shareAccess,
  studyShareTrack: studyShareTrack.shareTrack,
  studyAudit: studyAudit.audit,
  studyTimingEvent: studyTimingEvent.timingEvent,
  studyTimingLog: studyTimingLog.timingLog,
  studyManualRoute: studyManualRoute.manualRoute,
  studyRelated: studyRelated.related,
  studyConflicts: studyConflicts.conflicts,
  studyConflictSettle: studyConflictSettle.settle,
  studyEditLimits: studyEditLimits.editLimits,
  studyElsewhere: studyElsewhere.elsewhere,
  studyMrnHolders: studyMrnHolders.mrnHolders,
  studyPatients: studyPatients.patients,
  studyRequests: studyRequests.requests,
  studyMerge: studyMerge.merge,
  studyMergePreview: studyMergePreview.mergePreview,
  studySplit: studySplit.split,
  studySplitList: studySplitList.splitList,
  studySplitPreview: studySplitPreview.splitPreview,
  studySplitUndo: studySplitUndo.splitUndo,
  studyUploadPeople: studyUploadPeople.uploadPeople,
  tagList: tagList.list,
  tagAdd: tagAdd.add,
  tagDelete: tagDelete.remove,
  filterList: filterList.list,
  filterAdd: filterAdd.add,
  filterGet: filterGet.get,
  filterSet: filterSet.set,
  filterDelete: filterDelete.remove,
  filterShare: filterShare.share,
  filterShareStop: filterShareStop.shareStop,
  filterShareList: filterShareList.shareList,
  customfieldList: customfieldList.list,
  customfieldGet: customfieldGet.get,
  customfieldAdd: customfieldAdd.add,
  customfieldSet: customfieldSet.set,
  customfieldDelete: customfieldDelete.remove,
  customfieldLookup: customfieldLookup.lookup,
  customfieldUsage: customfieldUsage.usage,
  nodeList: nodeList.list,
  nodeCalled: nodeCalled.called,
  nodeGet: nodeGet.get,
  nodeAdd: nodeAdd.add,
  nodeSet: nodeSet.set,
  nodeDelete: nodeDelete.remove,
  destinationList: destinationList.list,
  destinationGet: destinationGet.get,
  destinationAdd: destinationAdd.add,
  destinationSet: destinationSet.set,
  destinationDelete: destinationDelete.remove,
  destinationTest: destinationTest.test,
  destinationSearch: destinationSearch.search,
  destinationSearchGet: destinationSearchGet.searchGet,
  destinationRetrieve: destinationRetrieve.retrieve,
  studyPush: studyPush.push,
  studyPushConfirm: studyPushConfirm.pushConfirm,
  studyNominateForm: studyNominateForm.nominateForm,
  orderList: orderList.list,
  orderGet: orderGet.get,
  orderHistory: orderHistory.history,
  orderAdd: orderAdd.add,
  orderSet: orderSet.set,
  orderDelete: orderDelete.remove,
  orderCancel: orderCancel.cancel,
  orderTake: orderTake.take,
  orderReportList: orderReportList.list,
  orderReportGet: orderReportGet.get,
  orderReportAttach: orderReportAttach.attach,
  orderReportDelete: orderReportDelete.remove,
  orderSpsFind: orderSpsFind.find,
  orderSpsAdd: orderSpsAdd.add,
  orderSpsSet: orderSpsSet.set,
  orderSpsDelete: orderSpsDelete.remove,
  orderSpsStatus: orderSpsStatus.setStatus,
  auditObject: auditObject.object,
  auditAccount: auditAccount.account,
  auditUser: auditUser.user,
  auditDeleted: auditDeleted.deleted,
  auditCheck: auditCheck.check,
  auditCheckGet: auditCheckGet.checkGet,
  auditPatient: auditPatient.patient,
  reportStatus: reportStatus.status,
  roleReportDetail: roleReportDetail.reportDetail,
  accountUserReportLogin: accountUserReportLogin.userReportLogin,
  studyReportDetail: studyReportDetail.reportDetail,
  auditRefused: auditRefused.refused,
  linkAdd: linkAdd.add,
  linkList: linkList.list,
  linkGet: linkGet.get,
  linkPriors: linkPriors.priors,
  linkSet: linkSet.set,
  linkMail: linkMail.mail,
  linkDelete: linkDelete.remove,
  linkStatus: linkStatus.status,
  linkPinSend: linkPinSend.pinSend,
  linkSession: linkSession.session,
  linkStudies: linkStudies.studies,
  linkBrand: linkBrand.brand,
  linkRequest: linkRequest.request,
  linkUploadBegin: linkUploadBegin.begin,
  linkUploadCheck: linkUploadCheck.check,
  linkUploadEnd: linkUploadEnd.end,
  mailCancel: mailCancel.cancel,
  mailOutbox: mailOutbox.outbox,
  mailRetry: mailRetry.retry,
  mailTest: mailTest.test,
  routeList: routeList.list,
  routeGet: routeGet.get,
  routeAdd: routeAdd.add,
  routeSet: routeSet.set,
  routeDelete: routeDelete.remove,
  routeMove: routeMove.move,
  routeRuns: routeRuns.runs,
  routeRunAgain: routeRunAgain.runAgain,
  routeRunsAgain: routeRunsAgain.runsAgain,
  routeTest: routeTest.test,
  routeTargets: routeTargets.targets,
  identityProviderGet: identityProviderGet.providerGet,
  identityProviderSet: identityProviderSet.providerSet,
  identityProviderDelete: identityProviderDelete.providerDelete,
  identityProviderTest: identityProviderTest.providerTest,
  identityOffer: identityOffer.offer,
  identityBegin: identityBegin.begin,
  identityLinkBegin: identityLinkBegin.linkBegin,
  identityFinish: identityFinish.finish,
  identityList: identityList.list,
  identityEnd: identityEnd.end,
  webhookEvent: webhookEvent.event,
  webhookList: webhookList.list,
  webhookGet: webhookGet.get,
  webhookAdd: webhookAdd.add,
  webhookSet: webhookSet.set,
  webhookDelete: webhookDelete.remove,
  webhookDeliveries: webhookDeliveries.deliveries,
  webhookTryAgain: webhookRetry.retry,
  webhookTest: webhookTest.test,
  webhookTrigger: webhookTrigger.trigger,
  jobList: jobList.list,
  jobCancel: jobCancel.cancel,
  jobRetry: jobRetry.retry,
  jobGet: jobGet.get,
}
