export type EvidenceRow = {
  reportId: string;
  messageId: string;
  number: number;
  senderId: string;
  receiverId: string;
  message: string;
  fileName: string | null;
  createdAt: number;
  copiedAt: number;
  keptUntil: number;
};
