import type { PageWords } from "./page-text.ts";

const paragraphs = (...all: string[]) => all.join("\n\n");

/** Keep these texts true when the program changes. `adapt-to-settings.ts` replaces what doesn't apply to every site. */
export const informationPages: Record<string, PageWords> = {
  "writing-guidelines": {
    title: "Writing Guidelines",
    lead: "These are suggestions, not rules.",
    text: paragraphs(
      "## Before you publish",
      "Choose a title that says what the story is about. The page’s address is made from it, up to 35 characters, and doesn’t change later.",
      "Choose a picture. We crop it to 1200 by 630 pixels and show it at the top of the story, on cards and wherever someone shares the link. You can use PNG, JPG, GIF and WebP files up to 10 MB.",
      "Check the preview: it’s the page your readers will see. A story that isn’t ready can stay a draft for as long as you like.",
      "## While you write",
      "Format headings, lists, quotes, links and code with Markdown, or use the buttons above the text.",
      "Say where a quotation or a picture comes from, and only use what you have permission to use.",
      "## Afterwards",
      "You can edit or delete a published story at any time. Readers see when it was last updated.",
      "[Write a story](/add-post)",
    ),
  },
  "community-rules": {
    title: "Community Rules",
    lead: "A short list, because most of it goes without saying.",
    text: paragraphs(
      "## Be someone you’d want as a neighbor",
      "Argue with what people write, not with who they are. Threats, harassment and hatred have no place here.",
      "Don’t publish what people shared with you in confidence, or anyone’s address, phone number or pictures without their consent.",
      "## Publish your own work",
      "Don’t pass off other people’s writing or pictures as yours. Advertising dressed up as a story is still advertising.",
      "## If someone breaks the rules",
      "Administrators and moderators can hold, unpublish or delete stories, reset profiles and suspend accounts. Automatic rules can hold or report a story when it’s published. We’ll tell you the reason, and you can appeal.",
    ),
  },
  events: {
    title: "Events and Contests",
    lead: "Nothing is planned right now. We’ll announce upcoming events on this page.",
    text: paragraphs("## Until then", "See which writers are read most:", "[Featured Writers](/featured-writers)"),
  },
  "community-chat": {
    title: "Community Chat",
    lead: "This site doesn’t have a public chat room. Members message each other directly.",
    text: paragraphs(
      "## Message someone",
      "Open a member’s profile and choose Message. Conversations are between the two of you.",
      "[Find a writer by their stories](/all-posts)",
    ),
  },
  help: {
    title: "Help Center",
    lead: "Answers to common questions.",
    text: paragraphs(
      "## I didn’t get the confirmation email",
      "Sign in and choose Send again in the bar at the top of the page. Check your spam folder too. The link expires after a day.",
      "## I forgot my password",
      "Request a link to choose a new one. It expires after an hour. Choosing a new password signs you out everywhere.",
      "[Choose a new password](/forgot-password)",
      "## I can’t publish",
      "To publish, you need a confirmed email, a title and a picture. If the button stays gray, add a picture.",
      "## Where are my drafts?",
      "On your profile, under Drafts. Only you and administrators can open them, and the audit log records each time they do.",
      "[Your drafts](/profile?tab=drafts)",
      "## I lost something I wrote",
      "Everything you type is saved within two seconds. Open the story again, and it’s there. Earlier versions are under History, at the top of the editor.",
      "## I get too many emails",
      "Choose how often you get each kind: right away, in a daily or weekly summary, or never.",
      "[Notification settings](/notifications/settings)",
      "## Someone is bothering me",
      "Choose Report on a story, a profile or a message. In a conversation you can also block them. They aren’t told about either.",
      "## I don’t agree with a decision",
      "Open it under Notifications. It says why, and you can appeal there.",
      "[Your notifications](/notifications)",
      "## Can I take my stories with me?",
      "Yes, at any time: stories, drafts, pictures, messages and everything else of yours in one ZIP file.",
      "[Download everything](/account/export)",
    ),
  },
  contact: {
    title: "Contact Us",
    lead: "This site is run by its administrators.",
    text: paragraphs(
      "## About a story or a writer",
      "Message the author from their profile, or choose Report on a story, a profile or a message to reach the site’s staff.",
      "## About your account",
      "You can fix a forgotten password or a missing confirmation email yourself.",
      "[Help Center](/help)",
    ),
  },
  privacy: {
    title: "Privacy Policy",
    lead: "What this site keeps about you, why, and who can see it.",
    text: paragraphs(
      "## Your account",
      "We store your name, your email address and a hash of your password, which can’t be turned back into the password. For each device you’re signed in on, we store the time, network address and browser, so you can sign it out. Signing out deletes these entries. So that we can email you about a new device, we remember the kinds of devices you sign in on and their network area until you haven’t used them for 400 days. The security log on your account page keeps account activity for 180 days.",
      "Only you and administrators can see your email address, not other members or visitors.",
      "To stop password guessing and spam, we count attempts to sign in, sign up and subscribe by network address and email address for a short time.",
      "## What you write and do",
      "Published stories, your profile and like counts are public. Only you and administrators can see your drafts. Moderators can see a story that is being reviewed, and for 30 days one that was unpublished, until you change it. The audit log records each time they open one. Only you can see your bookmarks. Only the two people in a conversation can read its messages, except when administrators need to investigate something. The audit log records each time they do. If a message is reported, we keep a copy of it and up to ten messages around it for moderators, even if someone deletes them: until 30 days after the decision, and 90 days at most.",
      "When you upload a JPEG, PNG or WebP picture, we remove hidden data such as where it was taken. Other files, animated pictures in messages, and files sent by apps that use this site’s API, stay as they are.",
      "To count each reader once, we remember for up to two hours who opened a story: members by their account, visitors by a code made from their network address.",
      "Reports and moderation decisions are kept, and so are backups until they expire. If you delete your account, we remove your name from reports and decisions; older backups keep your data until they expire.",
      "## Notifications on your devices",
      "If you ask for notifications on a device, we store the address its browser gives us, the kind of browser and the time, until you remove the device or sign out there. What we send is encrypted: the browser’s push service delivers it, but can’t read it.",
      "Your browser keeps the last stories you read on your device, for when you’re offline, until you sign out.",
      "## Emails",
      "We email you about account security, decisions and your reports, and about messages, followers and other news unless you turn those off. The newsletter uses your address only after you confirm it, or after you agreed to it elsewhere and an administrator added it with that date. We delete it when you unsubscribe.",
      "[Subscribe](/subscribe)",
      "## Questions",
      "[Contact Us](/contact)",
      "## Third parties",
      "No advertising and no trackers. Fonts and scripts come from this server.",
    ),
  },
  terms: {
    title: "Terms of Service",
    lead: "In plain words.",
    text: paragraphs(
      "## What is yours stays yours",
      "You keep all rights to what you write. By publishing it here, you allow this site to show it to everyone for as long as it’s published.",
      "You’re responsible for what you publish: it must be yours to publish, and it must be legal.",
      "## What we owe each other",
      "Reading and writing are free. We can’t promise that the site is always available, so keep a copy of anything you’d miss.",
      "The site’s staff may remove anything that breaks the community rules.",
      "[Community Rules](/community-rules)",
    ),
  },
  cookies: {
    title: "Cookie Policy",
    lead: "This site uses a few cookies of its own, all needed for things you asked for. That’s why there’s no cookie banner.",
    text: paragraphs(
      "## inkstead_session",
      "Keeps you signed in. Set when you sign in; deleted when you sign out, after 30 days without a visit, or after 180 days.",
      "## inkstead_passkey, better-auth.two_factor",
      "Remember where you are while you sign in with a passkey or two-step verification. Deleted within minutes.",
      "## better-auth.trust_device",
      "Set when you choose “Trust this browser for 30 days”. Deleted after 30 days.",
      "## inkstead_known",
      "Tells us that this browser has signed in here before, so that people who guess your password elsewhere can’t lock you out. Deleted after 400 days.",
      "## inkstead_theme",
      "Remembers whether you chose the light or dark theme. Deleted when you choose System, or after a year.",
      "## inkstead_view",
      "Remembers whether you chose the grid or list view of all stories. Deleted after a year.",
      "## inkstead_toast",
      "Carries a short message, such as “Post published successfully!”, to the next page. Deleted within a minute.",
      "## a_session_ and the name of a project",
      "Keeps you signed in to a community app that uses this site’s API. Deleted when you sign out there.",
      "## Stored in your browser",
      "Your browser also keeps unsaved stories, unsent messages, chat themes and the stories you’ve recently opened. They stay on your device.",
    ),
  },
};

/** `security` is empty, an email or an https:// address. */
export function contactOptions(email: string | undefined, security: string): string {
  const link = (url: string) => (url.startsWith("https://") ? `[${url}](${url})` : `[${url}](mailto:${url})`);
  return paragraphs(
    "## By email",
    email
      ? `Write to ${link(email)}. It reaches the site’s staff.`
      : "There’s no address here yet. If you’re a member, you can reach the site’s staff with Report, as described below.",
    ...(security ? ["## About a security problem", `Please report it to ${link(security)}.`] : []),
  );
}
