package import DeskModel

/// The texts in which rows and events have what customers were asked, and said. The member `comment` is a
/// customer's content: the row of the conversation alone has it, events never do.
extension RowFields {
    /// Writes what a customer was asked last, and said last; nil for nothing.
    package static func write(_ satisfaction: Satisfaction?) -> String? {
        guard let satisfaction else { return nil }
        var records = [record(of: satisfaction.question)]
        if let answer = satisfaction.answer {
            var record = record(of: answer.question)
            record["answer"] = answer.message.text
            record["score"] = String(answer.score)
            record["comment"] = answer.comment
            record["answered_at"] = String(answer.answeredAt.milliseconds)
            records.append(record)
        }
        return write(records)
    }

    /// Reads what a customer was asked last, and said last.
    package static func readSatisfaction(_ text: String) -> Satisfaction? {
        guard let records = read(text, unnamed: []), (1...2).contains(records.count),
            let question = question(in: records[0])
        else { return nil }
        guard records.count == 2 else { return Satisfaction(question) }
        let record = records[1]
        guard let asked = self.question(in: record),
            let message = record["answer"].flatMap({ MessageID($0) }),
            let score = score(record["score"]),
            let answeredAt = time(record["answered_at"])
        else { return nil }
        return Satisfaction(
            question,
            Satisfaction.Answer(
                to: asked, by: message, score: score, comment: record["comment"], at: answeredAt))
    }

    /// Writes for whose work a question is to be asked.
    package static func write(_ work: Satisfaction.Work) -> String {
        var record = Record()
        write(work, into: &record)
        return write([record])
    }

    /// Reads for whose work a question is to be asked.
    package static func readWork(_ text: String) -> Satisfaction.Work? {
        guard let records = read(text, unnamed: []), records.count == 1 else { return nil }
        return work(in: records[0])
    }

    /// Writes what an event says.
    package static func write(_ step: Satisfaction.Step) -> String {
        var record = Record()
        write(step, into: &record)
        return write([record])
    }

    /// Reads what an event says.
    package static func readStep(asked text: String) -> Satisfaction.Step? {
        guard let records = read(text, unnamed: []), records.count == 1 else { return nil }
        return step(in: records[0])
    }

    /// Puts what an event says into its record.
    static func write(_ step: Satisfaction.Step, into record: inout Record) {
        write(step.question, into: &record)
        guard let answer = step.answer else { return }
        record["answer"] = answer.message.text
        record["score"] = String(answer.score)
        record["before"] = answer.before.map { String($0) }
    }

    /// Reads what an event says; nil for what this program does not know.
    static func step(in record: Record) -> Satisfaction.Step? {
        guard let question = question(in: record) else { return nil }
        guard let message = record["answer"].flatMap({ MessageID($0) }) else {
            return Satisfaction.Step(question)
        }
        guard let score = score(record["score"]) else { return nil }
        return Satisfaction.Step(
            question,
            Satisfaction.Given(message, score: score, before: self.score(record["before"])))
    }

    private static func record(of question: Satisfaction.Question) -> Record {
        var record = Record()
        write(question, into: &record)
        return record
    }

    private static func write(_ question: Satisfaction.Question, into record: inout Record) {
        record["question"] = question.message.text
        record["asked_at"] = String(question.askedAt.milliseconds)
        write(question.work, into: &record)
    }

    private static func write(_ work: Satisfaction.Work, into record: inout Record) {
        record["agent"] = work.assignee?.text
        record["team"] = work.team?.text
        record["labels"] = write(work.labels)
    }

    private static func question(in record: Record) -> Satisfaction.Question? {
        guard let message = record["question"].flatMap({ MessageID($0) }),
            let askedAt = time(record["asked_at"]), let work = work(in: record)
        else { return nil }
        return Satisfaction.Question(message, at: askedAt, about: work)
    }

    private static func work(in record: Record) -> Satisfaction.Work? {
        guard let labels = record["labels"].map({ readLabels($0) }) ?? [] else { return nil }
        return Satisfaction.Work(
            assignee: record["agent"].flatMap { AgentID($0) },
            team: record["team"].flatMap { TeamID($0) }, labels: labels)
    }

    private static func score(_ text: String?) -> Int? {
        text.flatMap { Int($0) }.flatMap { Satisfaction.scores.contains($0) ? $0 : nil }
    }

    private static func time(_ text: String?) -> Timestamp? {
        text.flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) }
    }
}
