import { draftTexts } from "#domain/drafts/draft.ts";
import { postTexts } from "#domain/posts/post.ts";

export const publishQuestion = { title: "Publish this draft?", text: draftTexts.publishQuestion, confirmLabel: "Publish" };

const deletion = { title: "Delete this post?", confirmLabel: "Delete", danger: true, failed: postTexts.deleteFailed };

/** By the page of the button (specification §5). */
export const deleteQuestions = {
  post: { ...deletion, text: postTexts.deleteQuestion },
  posts: { ...deletion, text: postTexts.deleteOwnQuestion },
  drafts: { ...deletion, title: "Delete this draft?", text: draftTexts.deleteQuestion, failed: draftTexts.deleteFailed },
};
