#include "app/render/shader_source.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <regex>
#include <sstream>

namespace limber {
namespace {

/// The quoted name of an include line, or "".
std::string included_file(const std::string& line) {
  static const std::regex form(R"re(^\s*#\s*include\s+"([^"]+)")re");
  std::smatch match;
  return std::regex_search(line, match, form) ? match[1].str() : std::string();
}

class SourceReader {
 public:
  SourceReader(const std::filesystem::path& folder, std::string_view defines)
      : folder_(folder), defines_(defines) {}

  Expected<void> append(const std::string& name, const std::string& from, int from_line) {
    const std::string path = (folder_ / name).string();
    std::ifstream file(path);
    if (!file) {
      return Error{"there is no shader file " + path, from, from_line,
                   "is the shader folder complete? it comes with the program"};
    }
    const std::size_t number = source_.files.size();
    source_.files.push_back(path);
    std::string line;
    for (int row = 1; std::getline(file, line); ++row) {
      const std::string include = included_file(line);
      if (include.empty()) {
        add(line, {number, row});
        if (line.starts_with("#version") && !defines_.empty()) add(defines_, {number, row});
      } else if (!is_read(include)) {
        if (auto done = append(include, path, row); !done) return done;
      }
    }
    return {};
  }

  ShaderSource take() { return std::move(source_); }

 private:
  /// Appends whole lines, all attributed to line `from`.
  void add(std::string_view text, ShaderSource::Line from) {
    source_.text += text;
    if (!text.ends_with('\n')) source_.text += '\n';
    const auto breaks = std::ranges::count(text, '\n') + (text.ends_with('\n') ? 0 : 1);
    source_.lines.insert(source_.lines.end(), std::size_t(breaks), from);
  }
  bool is_read(const std::string& name) const {
    return std::ranges::find(source_.files, (folder_ / name).string()) != source_.files.end();
  }

  const std::filesystem::path& folder_;
  std::string_view defines_;
  ShaderSource source_;
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Expected<ShaderSource> read_shader_source(const std::filesystem::path& folder, const std::string& name,
                                          std::string_view defines) {
  SourceReader reader(folder, defines);
  if (auto done = reader.append(name, "", 0); !done) return done.error();
  return reader.take();
}

Error shader_error(const ShaderSource& source, std::string_view log) {
  const std::string text(log);
  static const std::regex place(R"((?:^|\n)(?:ERROR:\s*)?\d+[:(](\d+)\)?(?:\(\d+\))?\s*:\s*([^\n]*))");
  std::smatch match;
  if (std::regex_search(text, match, place)) {
    std::size_t row = 0;
    std::from_chars(&*match[1].first, &*match[1].first + match[1].length(), row);
    if (row >= 1 && row <= source.lines.size()) {
      const ShaderSource::Line& from = source.lines[row - 1];
      return {"shader: " + match[2].str(), source.files[from.file], from.number};
    }
  }
  return {"shader: " + (text.empty() ? "the driver gave no reason" : first_line(text)), source.files.front()};
}

}  // namespace limber
