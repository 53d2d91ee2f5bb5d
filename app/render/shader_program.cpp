#include "app/render/shader_program.hpp"

#include <utility>

#include "app/render/shader_source.hpp"

namespace limber {
namespace {

/// A shader object that lives until its program is linked.
class ShaderObject {
 public:
  explicit ShaderObject(GLenum stage) : id_(glCreateShader(stage)) {}
  ShaderObject(const ShaderObject&) = delete;
  ShaderObject& operator=(const ShaderObject&) = delete;
  ~ShaderObject() { glDeleteShader(id_); }
  GLuint id() const { return id_; }

  Expected<void> compile(const ShaderSource& source) {
    const char* text = source.text.c_str();
    glShaderSource(id_, 1, &text, nullptr);
    glCompileShader(id_);
    GLint ok = GL_FALSE, length = 0;
    glGetShaderiv(id_, GL_COMPILE_STATUS, &ok);
    if (ok == GL_TRUE) return {};
    glGetShaderiv(id_, GL_INFO_LOG_LENGTH, &length);
    std::string log(std::size_t(length) + 1, '\0');
    glGetShaderInfoLog(id_, length + 1, &length, log.data());
    log.resize(std::size_t(length));
    return shader_error(source, log);
  }

 private:
  GLuint id_;
};

std::string link_log(GLuint program) {
  GLint length = 0;
  glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
  std::string log(std::size_t(length) + 1, '\0');
  glGetProgramInfoLog(program, length + 1, &length, log.data());
  log.resize(std::size_t(length));
  return log.substr(0, log.find('\n'));
}

/// Binds the uniform block and samplers whose names mean the same in every shader.
void bind_fixed_names(const ShaderProgram& program, GLuint id) {
  const GLuint block = glGetUniformBlockIndex(id, "Frame");
  if (block != GL_INVALID_INDEX) glUniformBlockBinding(id, block, frame_block_binding);
  program.use();
  constexpr std::pair<const char*, TextureUnit> samplers[] = {
      {"shadow_map", shadow_unit},
      {"occlusion_map", occlusion_unit},
      {"position_buffer", position_unit},
      {"normal_buffer", normal_unit},
      {"uv_buffer", uv_unit},
      {"index_buffer", index_unit},
      {"heat_buffer", heat_unit},
      {"sphere_buffer", sphere_unit},
      {"tint_buffer", tint_unit},
      {"depth_map", fluid_unit},
      {"surface_map", fluid_unit},
      {"thickness_map", thickness_unit},
      {"solid_map", solid_unit},
      {"tint_map", thickness_unit},
      {"shape_buffer", shape_unit},
      {"opaque_map", opaque_unit},
      {"face_map", fluid_unit},
      {"path_map", opaque_unit},
      {"exit_map", shape_unit},
      {"backdrop", backdrop_unit},
      {"fluid_taken_map", fluid_taken_unit},
      {"fluid_place_map", fluid_place_unit},
      {"sky_map", sky_unit},
      {"light_map", light_unit},
      {"light_on_white_map", light_on_white_unit},
  };
  for (const auto& [name, unit] : samplers) set_uniform(program.uniform(name), int(unit));
}

}  // namespace

Expected<ShaderProgram> ShaderProgram::load(const std::string& folder, const std::string& vertex,
                                            const std::string& fragment, const std::string& defines) {
  GlProgram program = GlProgram::create();
  ShaderObject stages[] = {ShaderObject(GL_VERTEX_SHADER), ShaderObject(GL_FRAGMENT_SHADER)};
  const std::string names[] = {vertex + ".vert", fragment + ".frag"};
  for (int i = 0; i < 2; ++i) {
    const auto source = read_shader_source(folder, names[i], defines);
    if (!source) return source.error();
    if (auto compiled = stages[i].compile(*source); !compiled) return compiled.error();
    glAttachShader(program.id(), stages[i].id());
  }
  glLinkProgram(program.id());
  GLint ok = GL_FALSE;
  glGetProgramiv(program.id(), GL_LINK_STATUS, &ok);
  if (ok != GL_TRUE) {
    return Error{"shaders " + names[0] + " and " + names[1] + " do not link: " + link_log(program.id()),
                 folder};
  }
  for (const ShaderObject& stage : stages) glDetachShader(program.id(), stage.id());
  const GLuint id = program.id();
  ShaderProgram result(std::move(program));
  bind_fixed_names(result, id);
  return result;
}

Expected<std::vector<ShaderProgram>> load_shadings(const std::string& folder, const std::string& vertex,
                                                   const std::string& fragment) {
  std::vector<ShaderProgram> out;
  for (const char* defines : {"", "#define SHARP_SHADOWS\n", "#define SINGLE_DRAWING\n",
                              "#define SINGLE_DRAWING\n#define SHARP_SHADOWS\n"}) {
    auto program = ShaderProgram::load(folder, vertex, fragment, defines);
    if (!program) return program.error();
    out.push_back(std::move(*program));
  }
  return out;
}

}  // namespace limber
