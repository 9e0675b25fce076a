import type { PageWords } from "./page-text.ts";

const paragraphs = (...all: string[]) => all.join("\n\n");

/**
 * The pages by their address, as they are until an administrator writes their own (page-texts.server.ts). What they say has to
 * be true of the program as it is: change both together.
 */
export const informationPages: Record<string, PageWords> = {
  "writing-guidelines": {
    title: "Writing Guidelines",
    lead: "Nobody reads your story before it is out, so these are suggestions from other writers, not conditions.",
    text: paragraphs(
      "## Before you publish",
      "Give the story a title that says what it is about. The address of the page is made from it, up to 35 characters, and stays as it is from then on.",
      "Choose a picture. It is cut to 1200 by 630 pixels and stands at the top of the story, on cards and wherever somebody shares the link. PNG, JPG, GIF and WebP files up to 10 MB are fine.",
      "Look at the preview: it is the page your readers will get. A story that is not ready yet can stay a draft for as long as you like.",
      "## While you write",
      "Headings, lists, quotes, links and code are written in Markdown; the buttons above the text put the signs in for you.",
      "Say where a quotation or a picture comes from, and only use what you may use.",
      "## Afterwards",
      "A published story can be changed or deleted at any time by its author. Readers see when it was last updated.",
      "[Write a story](/add-post)",
    ),
  },
  "community-rules": {
    title: "Community Rules",
    lead: "A short list, because most of it goes without saying.",
    text: paragraphs(
      "## Be somebody you would want as a neighbour",
      "Argue with what people write, not with who they are. Threats, harassment and hatred have no place here.",
      "Do not publish what was told to you in confidence, nor anybody’s address, number or pictures without their consent.",
      "## Publish your own work",
      "Do not pass off other people’s writing or pictures as yours. Advertising dressed up as a story is advertising.",
      "## What happens otherwise",
      "The administrators of this site can unpublish or delete stories.",
    ),
  },
  events: {
    title: "Events and Contests",
    lead: "Nothing is planned at the moment. What is coming up will be announced on this page.",
    text: paragraphs(
      "## Until then",
      "The stories that were read most in the last weeks are a contest of a kind.",
      "[Featured Writers](/featured-writers)",
    ),
  },
  "community-chat": {
    title: "Community Chat",
    lead: "There is no public chat room on this site. Members write to each other directly.",
    text: paragraphs(
      "## Writing to somebody",
      "Open the profile of the person you would like to reach. Conversations are between the two of you.",
      "[Find a writer by their stories](/all-posts)",
    ),
  },
  help: {
    title: "Help Center",
    lead: "Answers to what people ask most.",
    text: paragraphs(
      "## I did not get the confirmation mail",
      "Sign in and press Send again in the bar at the top of the page. Look into the folder for unwanted mail as well. The link is valid for a day.",
      "## I have forgotten my password",
      "Ask for a link to choose a new one. It is valid for an hour; choosing a new password signs you out everywhere else.",
      "[Choose a new password](/forgot-password)",
      "## I cannot publish",
      "Publishing needs a confirmed address, a title and a picture. If the button stays grey, the picture is what is missing.",
      "## Where are my drafts?",
      "On your profile, under Drafts. Nobody else sees them, administrators of the site apart.",
      "[Your drafts](/profile?tab=drafts)",
    ),
  },
  contact: {
    title: "Contact Us",
    lead: "This site is run by its administrators.",
    text: paragraphs(
      "## About a story or a writer",
      "Write to the author from their profile. Most things are settled fastest between two people.",
      "## About your account",
      "Forgotten passwords and missing confirmation mails can be sorted out without us.",
      "[Help Center](/help)",
    ),
  },
  privacy: {
    title: "Privacy Policy",
    lead: "What this site keeps about you, why, and who can see it.",
    text: paragraphs(
      "## Your account",
      "Your name, your email address and a scrambled form of your password from which it cannot be read back. For each device you are signed in on: when, from which network address and with which browser, so that a session can be ended. Signing out deletes these entries.",
      "Your email address is shown to you and to administrators, not to other members or visitors.",
      "Against guessing and flooding, attempts to sign in, sign up and subscribe are counted by network address and by email address for a short time.",
      "## What you write and do",
      "Published stories, your profile and the number of likes are public. Drafts are seen by you and by administrators. Bookmarks are yours alone. Messages can be read by the two people of a conversation and, where something has to be looked into, by administrators. When a message is reported, it and up to ten around it are kept for those who decide, even if they are deleted: until 30 days after the decision, and 90 days at most.",
      "Hidden data in pictures, such as where one was taken, is removed when you upload it.",
      "## The weekly letter",
      "Your address is used once you have confirmed it, and deleted when you unsubscribe by the link in the letter.",
      "[Subscribe](/subscribe)",
      "## Others",
      "No advertising and no trackers. Fonts and scripts come from this server. A story may show pictures from other sites; your browser fetches those from there.",
    ),
  },
  terms: {
    title: "Terms of Service",
    lead: "In plain words.",
    text: paragraphs(
      "## What is yours stays yours",
      "You keep all rights to what you write. By publishing it here you allow this site to show it to everybody, for as long as you leave it published.",
      "You answer for what you publish: that it is yours to publish and does not break the law.",
      "## What we owe each other",
      "Reading and writing cost nothing. In return there is no promise that the site is always reachable: keep a copy of what you would miss.",
      "The administrators may remove what breaks the community rules.",
      "[Community Rules](/community-rules)",
    ),
  },
  cookies: {
    title: "Cookie Policy",
    lead: "This site sets a few cookies, all its own and all needed for what you asked it to do. That is why it does not ask you about them.",
    text: paragraphs(
      "## inkstead_session",
      "Keeps you signed in. Set when you sign in, gone when you sign out or after 30 days.",
      "## inkstead_passkey, better-auth.two_factor",
      "Hold on to a sign-in with a passkey or with a second step while it is under way. Gone within minutes.",
      "## inkstead_theme",
      "Remembers that you chose the light or the dark theme. Gone when you choose System.",
      "## inkstead_view",
      "Remembers that you chose to see all stories as a grid or as a list. Gone after a year.",
      "## inkstead_toast",
      "Carries a short message, such as “Post published successfully!”, from one page to the next. Gone within a minute.",
      "## a_session_ and the name of a project",
      "Keeps you signed in to an app of the community that uses this site’s interface for programs. Gone when you sign out there.",
    ),
  },
};
