/** The words of lists of deliveries. */
export const texts = {
  deliveries: 'Deliveries',
  find: 'Delivery or order id',
  status: 'Outcome',
  event: 'Event',
  answeredWith: 'Answered with',
  answered: 'Answered',
  noAnswer: 'No answer',
  from: 'From',
  until: 'Until',
  order: 'Order',
  receiver: 'Receiver',
  attempts: 'Attempts',
  made: 'Made',
  noneFound: 'No delivery matches these filters. An id is found when it is whole.',
} as const;
