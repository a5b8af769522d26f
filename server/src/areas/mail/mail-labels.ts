/**
 * Texts of mails by key: a subject and a body for each, and paragraphs that bodies end with. The shape is that of the
 * labels of the pages: flat keys, `{slot}` for a value, plural forms by the suffixes `_one` and `_other`. `{secret}` stays
 * until the mail is sent (`secretMark`). A line that is an address alone becomes a link in the HTML.
 */
export const mailLabels = {
  'reset.subject': 'Reset your password',
  'reset.body':
    'Somebody asked to reset the password of the login with this e-mail address.\n\nTo choose a new password, open this link within {minutes} minutes. It works once.\n{secret}\n\nIf it was not you, ignore this mail: your password stays as it is.\n',
  'invitation.subject': 'You have been invited',
  'invitation.body':
    'An administrator made a login for you, with this e-mail address as your username.\n\nTo choose your password, open this link within {days} days. It works once.\n{secret}\n\nIf the link does not work any more, use "Forgot password?" on the page where people log in.\n',
  'added.subject': 'You were added to an organisation',
  'added.body': 'An administrator added you to an organisation. Log in as you are used to:\n{address}\n',
  'shared.account.subject': 'An exam was sent to your organisation',
  'shared.account.body': 'Another organisation sent yours an exam. You find it in the Organisation inbox:\n{address}\n',
  'shared.location.subject': 'An exam was shared with a location of yours',
  'shared.location.body': 'Somebody shared an exam with a location that you belong to. You find it here:\n{address}\n',
  'shared.user.subject': 'An exam was shared with you',
  'shared.user.body': 'Somebody shared an exam with you. You find it in My studies:\n{address}\n',
  'shared.group.subject': 'An exam was shared with a group of yours',
  'shared.group.body': 'Somebody shared an exam with a group that you belong to. You find it here:\n{address}\n',
  'retracted.subject': 'An exam was taken back',
  'retracted.body':
    'The owner of an exam that you had access to took it back. It is not there for you any more:\n{address}\n',
  'retractedLink.subject': 'An exam was taken back',
  'retractedLink.body':
    'The owner of an exam that a link was to show you took it back. The link does not open it any more.\n',
  'separated.subject': 'Images of an exam were moved',
  'separated.body':
    'Images of an exam that you have access to were moved to another exam. They may belong to another patient. Please look at the exam again:\n{address}\n',
  'merged.subject': 'Two exams were merged',
  'merged.body':
    'An exam that you have access to was merged with another exam of the same patient: images left it or came to it. Please look at the exam again:\n{address}\n',
  'nominated.subject': 'An exam was nominated to a group of yours',
  'nominated.body': 'An exam waits to be processed in a group that you belong to. You find it here:\n{address}\n',
  'rejected.subject': 'An exam that you shared was not accepted',
  'rejected.body':
    'Those who approve exams for a group did not accept one that you shared. You find the reason with the exam:\n{address}\n',
  'notSent.subject': 'An exam that you wanted to send was not sent',
  'notSent.body':
    'An exam that was to be shared or sent at the time that you chose did not leave. Its page Send tells to whom, and why. Where you may, send it again from there.\n',
  'resetTwoFactor.subject': 'Your two-factor sign-in was reset',
  'resetTwoFactor.body':
    'An administrator took the second factor off your login. You log in with your password alone until you set up a new one.\n\nIf you did not ask for it, tell your administrator at once.\n',
  'addressChanged.subject': 'Another e-mail address was set for your login',
  'addressChanged.body':
    'An administrator changed the e-mail address of your login. You log in by the new address from now on, and mails go there.\n\nIf you did not ask for it, tell your administrator at once.\n',
  'disabled.subject': 'Your access was switched off',
  'disabled.body':
    'An administrator switched off your access to an organisation. If you belong to no other one, you cannot log in until an administrator lets you in again.\n\nIf you do not know why, ask your administrator.\n',
  'harvested.subject': 'Exams have arrived',
  'harvested.body':
    'Exams came from a gateway, from a scanner or by a share code into a group of yours. You find them here:\n{address}\n',
  'approval.subject': 'Exams wait for your approval',
  'approval.body': 'Exams came into a place where you decide which are taken in. You find them here:\n{address}\n',
  'connection.asked.subject': 'An organisation asks to be connected',
  'connection.asked.body':
    'Another organisation asks to exchange exams with yours. You find it under Administration, Connections:\n{address}\n',
  'connection.connected.subject': 'An organisation is connected',
  'connection.connected.body':
    'Another organisation and yours can exchange exams now. You find it under Administration, Connections:\n{address}\n',
  'connection.ended.subject': 'A connection has ended',
  'connection.ended.body':
    'Your organisation and another do not exchange exams any more. You find it under Administration, Connections:\n{address}\n',
  'disk.low.subject': 'The disk of the server fills up',
  'disk.low.body': 'Less than a fifth of it is free. Plan for more room.\nFree: {free} of {total}, at {address}\n',
  'disk.very-low.subject': 'The disk of the server is nearly full',
  'disk.very-low.body': 'Less than a tenth of it is free. Make room soon.\nFree: {free} of {total}, at {address}\n',
  'disk.full.subject': 'The disk of the server is full',
  'disk.full.body':
    'Uploads are refused until there is room. Signing in, reading, editing and deleting go on.\nFree: {free} of {total}, at {address}\n',
  'certificate.within-30-days.subject': 'The certificate of the server ends within 30 days',
  'certificate.within-30-days.body':
    'Plan to renew it. The files of HILUM_TLS_CERT and HILUM_TLS_KEY are to be replaced; no restart is needed.\nValid until: {day} UTC, at {address}\n',
  'certificate.within-14-days.subject': 'The certificate of the server ends within 14 days',
  'certificate.within-14-days.body':
    'Renew it soon. The files of HILUM_TLS_CERT and HILUM_TLS_KEY are to be replaced; no restart is needed.\nValid until: {day} UTC, at {address}\n',
  'certificate.within-3-days.subject': 'The certificate of the server ends within 3 days',
  'certificate.within-3-days.body':
    'Renew it now. The files of HILUM_TLS_CERT and HILUM_TLS_KEY are to be replaced; no restart is needed.\nValid until: {day} UTC, at {address}\n',
  'certificate.over.subject': 'The certificate of the server is over',
  'certificate.over.body':
    'Browsers and senders refuse the connection. Renew it now. The files of HILUM_TLS_CERT and HILUM_TLS_KEY are to be replaced; no restart is needed.\nValid until: {day} UTC, at {address}\n',
  'webhookFails.subject': 'A webhook of your organisation fails for more than a day',
  'webhookFails.body':
    'Its address takes no calls, so that another system does not hear of what happens here. You find it under Administration, Webhooks, with the reason of each call. Switch it off there if it is not needed any more:\n{address}\n',
  'ruleFails.subject': 'A routing rule of your organisation fails',
  'ruleFails.body':
    'It could not do on an exam what it is there for: what it sends to is gone, takes nothing, or is switched off. You find it under Administration, What is stuck, with the way to run it again or to dismiss it:\n{address}\n\nNo further mail comes about this rule until it has run well again, or somebody dismisses it.\n',
  'handedOver.subject': 'Work was handed over to you',
  'handedOver.body': 'An administrator handed over to you what a colleague left. You find it here:\n{address}\n',
  'mailTest.subject': 'Test of your mail server',
  'mailTest.body': 'This mail came through the mail server of the settings: mails of this installation arrive.\n',
  'link.subject': 'An exam is there for you to see',
  'link.body': 'Somebody wants to show you an exam. You find it here:\n{secret}\n',
  'linkPin.subject': 'Your code',
  'linkPin.body':
    'Somebody opens a link that was sent to this e-mail address, and is asked for this code:\n{secret}\n\nIt holds for {minutes} minutes, on the page that asked for it. If it was not you, give the code to nobody: nothing is opened without it.\n',
  'request.subject': 'You are asked to send an exam',
  'request.body':
    'Somebody asks you to send the images of an exam. What is asked for, and by whom, you find here:\n{secret}\n',
  'requestBegun.subject': 'An exam that was asked for is arriving',
  'requestBegun.body': 'The first image came by a link of a request. You find it here:\n{address}\n',
  'requestEnded.subject': 'An exam that was asked for has arrived',
  'requestEnded.body': 'What was sent by a link of a request has arrived. You find it here:\n{address}\n',
  'requestIncomplete.subject': 'An exam that was asked for is incomplete',
  'requestIncomplete.body':
    'What was sent by a link of a request stopped before all its images had arrived. Who sends can go on by the same link until the request ends. You find it here:\n{address}\n',
  'linkOpened.subject': 'A link to an exam was opened',
  'linkOpened.body':
    'A link to an exam was opened. You are told once in an hour. Who opened which, you find with the exam:\n{address}\n',
  'linkOpenedAgain.subject': 'A link to an exam was opened',
  'linkOpenedAgain.body_one':
    'A link to an exam was opened, and once more after the mail before this one. You are told once in an hour. Who opened which, you find with the exam:\n{address}\n',
  'linkOpenedAgain.body_other':
    'A link to an exam was opened, and {count} more times after the mail before this one. You are told once in an hour. Who opened which, you find with the exam:\n{address}\n',
  'requestReminder.subject': 'A request for an exam ends soon',
  'requestReminder.body':
    'You were asked to send the images of an exam, and nothing has arrived so far. The page takes them for a short while only:\n{secret}\n',
  'linkReminder.subject': 'A link to an exam ends soon',
  'linkReminder.body': 'A link that shows you an exam ends soon. You find the exam here:\n{secret}\n',
  'linksEnd.subject': 'Links or requests of yours end soon',
  'linksEnd.body_one':
    '{all} of the links and requests that you gave end soon; {count} of them was never opened. You find them, and let them live on, here:\n{address}\n',
  'linksEnd.body_other':
    '{all} of the links and requests that you gave end soon; {count} of them were never opened. You find them, and let them live on, here:\n{address}\n',
  'linkReturned.subject': 'A mail with a link could not be delivered',
  'linkReturned.body':
    'The mail with a link or a request that you gave could not be delivered. The exam or the request says why, and lets you correct the address. All that you gave you find here:\n{address}\n',
  'asked.password': '\nYou will be asked for a password. The sender gives it to you in another way.\n',
  'asked.passwordAgain': '\nYou will be asked for a password. The sender gave it to you in another way.\n',
  'asked.birthDate': '\nYou will be asked for the date of birth of the patient.\n',
  'asked.nothingInstalled': '\nYou can send a folder or a disc from your browser. Nothing has to be installed.\n',
} as const
